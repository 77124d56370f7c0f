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
const failed = { holds: [], failure: { error: new Error("no") } };

describe("what a run adds to a status", () => {
  it("is nothing when all is well", () => {
    const stated = { ready: 1, conditions: [condition("Ready", true, "Fine")] };
    expect(statedStatus(saying(), stated, fine)).toBe(stated);
  });

  it("is Ready False after a failure, unless the author says what Ready is", () => {
    expect(statedStatus(saying(), {}, failed).conditions).toEqual([condition("Ready", false, "ReconcileFailed", "no")]);
    const stated = { conditions: [condition("Ready", true, "Mine")] };
    expect(statedStatus(saying(), stated, failed)).toBe(stated);
  });

  it("is taken back by the next run, when it was ours", () => {
    expect(statedStatus(saying({ type: "Ready", status: "False", reason: "ReconcileFailed" }), {}, fine).conditions).toEqual([
      condition("Ready", true, "Reconciled"),
    ]);
    expect(statedStatus(saying({ type: "Ready", status: "False", reason: "Theirs" }), {}, fine).conditions).toBeUndefined();
  });

  it("says what is held and why, and then that nothing is", () => {
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

  it("leaves what was said when nothing could be computed", () => {
    expect(unchangedStatus(saying())).toEqual({ ready: 3 });
    expect(unchangedStatus({ metadata: {} })).toEqual({});
  });
});

describe("the check of a status", () => {
  const check = statusCheck(WebApp, "controller of WebApp");

  it("takes what the schema knows, conditions included", () => {
    const stated = { ready: 1, parts: [{ name: "a" }], conditions: [condition("Ready", true, "Fine")], observedGeneration: 1 };
    expect(check(stated)).toBe(stated);
  });

  it("refuses what the server would drop, deep down too", () => {
    expect(() => check({ reddy: 1 })).toThrow("it says reddy, which the schema of WebApp does not know");
    expect(() => check({ parts: [{ name: "a", size: 1 }] })).toThrow("it says parts[0].size");
  });

  it("refuses what is no status", () => {
    for (const wrong of [undefined, null, [], "text"]) expect(() => check(wrong)).toThrow("controller of WebApp, status: it answers with");
    expect(() => check(Promise.resolve({}))).toThrow("status is async");
  });

  it("takes anything where no schema is at hand", () => {
    expect(statusCheck(ConfigMap, "x")({ anything: 1 })).toEqual({ anything: 1 });
  });
});
