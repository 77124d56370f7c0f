import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineResource } from "../resource/define-resource.ts";
import { condition } from "../status/write-status.ts";
import { statedStatus, statusCheck, unchangedStatus } from "./status-step.ts";

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({}),
  status: z.object({ ready: z.int(), parts: z.array(z.object({ name: z.string() })).optional() }),
});
const saying = (...conditions: readonly { type: string; status: string; reason: string }[]): { metadata: object; status: object } => ({
  metadata: {},
  status: { ready: 3, observedGeneration: 1, conditions },
});
const fine = { holds: [], failure: undefined };
const failed = { holds: [], failure: { error: new Error("no"), isStalled: false } };

describe("statedStatus", () => {
  it("adds nothing after success", () => {
    const stated = { ready: 1, conditions: [condition("Ready", true, "Fine")] };
    expect(statedStatus(saying(), stated, fine)).toBe(stated);
  });

  it("adds Reconciled False after a failure, and Ready unless the author states it", () => {
    const reconciled = condition("Reconciled", false, "ReconcileFailed", "no");
    expect(statedStatus(saying(), {}, failed).conditions).toEqual([reconciled, condition("Ready", false, "ReconcileFailed", "no")]);
    const stated = { conditions: [condition("Ready", true, "Mine")] };
    expect(statedStatus(saying(), stated, failed).conditions).toEqual([...stated.conditions, reconciled]);
    const all = { conditions: ["Ready", "Reconciled", "Stalled"].map((type) => condition(type, true, "Mine")) };
    expect(statedStatus(saying(), all, { holds: [], failure: { error: "no", isStalled: true } })).toBe(all);
  });

  it("sets its own conditions to True again after the next successful run", () => {
    const before = ["Ready", "Reconciled"].map((type) => ({ type, status: "False", reason: "ReconcileFailed" }));
    expect(statedStatus(saying(...before), {}, fine).conditions).toEqual([
      condition("Reconciled", true, "Reconciled"),
      condition("Ready", true, "Reconciled"),
    ]);
    expect(statedStatus(saying({ type: "Ready", status: "False", reason: "Theirs" }), {}, fine).conditions).toBeUndefined();
  });

  it("says Stalled while nothing is tried again, and no longer", () => {
    const stalled = condition("Stalled", true, "ReconcileStopped", "no");
    expect(statedStatus(saying(), {}, { holds: [], failure: { error: "no", isStalled: true } }).conditions).toEqual([
      condition("Reconciled", false, "ReconcileStopped", "no"),
      condition("Ready", false, "ReconcileStopped", "no"),
      stalled,
    ]);
    expect(statedStatus(saying(stalled), {}, failed).conditions).toContainEqual(condition("Stalled", false, "Retrying"));
    expect(statedStatus(saying(stalled), {}, fine).conditions).toEqual([condition("Stalled", false, "Reconciled")]);
    expect(statedStatus(saying({ ...stalled, reason: "Theirs" }), {}, fine).conditions).toBeUndefined();
  });

  it("names a failed cleanup as such", () => {
    const failure = { error: "no", isStalled: false, isCleanup: true };
    expect(statedStatus(saying(), {}, { holds: [], failure }).conditions?.[0]).toEqual(
      condition("Reconciled", false, "CleanupFailed", "no"),
    );
  });

  it("reports held slots with reasons, then that none is held", () => {
    const holds = [
      { slot: "ingress", why: "waiting for pods" },
      { slot: "job", why: "waits" },
    ];
    expect(statedStatus(saying(), {}, { ...fine, holds }).conditions).toEqual([
      condition("Held", true, "Waiting", "ingress: waiting for pods; job: waits"),
    ]);
    expect(statedStatus(saying({ type: "Held", status: "True", reason: "Waiting" }), {}, fine).conditions).toEqual([
      condition("Held", false, "NothingHeld"),
    ]);
  });

  it("unchangedStatus keeps the status if none could be computed", () => {
    expect(unchangedStatus(saying())).toEqual({ ready: 3 });
    expect(unchangedStatus({ metadata: {} })).toEqual({});
  });
});

describe("statusCheck", () => {
  const check = statusCheck(WebApp, "controller of WebApp");

  it("accepts fields of the schema, including conditions", () => {
    const stated = { ready: 1, parts: [{ name: "a" }], conditions: [condition("Ready", true, "Fine")], observedGeneration: 1 };
    expect(check(stated)).toBe(stated);
  });

  it("rejects fields that the server would drop, also nested ones", () => {
    expect(() => check({ reddy: 1 })).toThrow("it returns reddy, which is not in the schema of WebApp");
    expect(() => check({ parts: [{ name: "a", size: 1 }] })).toThrow("it returns parts[0].size");
  });

  it("rejects values that are not objects", () => {
    for (const wrong of [undefined, null, [], "text"]) expect(() => check(wrong)).toThrow("controller of WebApp, status: it returns");
    expect(() => check(Promise.resolve({}))).toThrow("status is async");
  });

  it("accepts anything for a kind without a schema", () => {
    expect(statusCheck(ConfigMap, "x")({ anything: 1 })).toEqual({ anything: 1 });
  });
});
