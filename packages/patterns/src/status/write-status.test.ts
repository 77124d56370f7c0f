import { Deployment } from "@drover/api/apps/v1";
import { createClient } from "@drover/client";
import { jsonResponse } from "@drover/client/testing";
import type { HttpRequest } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { condition, nextStatus, writeStatus } from "./write-status.ts";
import type { StatedStatus } from "./write-status.ts";

const [then, now] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
const ready = {
  type: "Ready",
  status: "True",
  reason: "Replicas",
  message: "2 ready",
  lastTransitionTime: then,
  observedGeneration: 3,
} as const;
const stated = (more: object): StatedStatus => ({ conditions: [condition("Ready", true, "Replicas", "2 ready")], ...more });
const object = (status?: object): Deployment => ({
  metadata: { name: "web", namespace: "shop", generation: 3, resourceVersion: "9" },
  ...(status === undefined ? {} : { status }),
});

describe("condition", () => {
  it("is True, False or Unknown", () => {
    expect([true, false, "Unknown" as const].map((status) => condition("Ready", status, "Why").status)).toEqual([
      "True",
      "False",
      "Unknown",
    ]);
    expect(condition("Ready", true, "Why")).toEqual({ type: "Ready", status: "True", reason: "Why", message: "" });
  });
});

describe("nextStatus", () => {
  it("sets observedGeneration, also in conditions", () => {
    expect(nextStatus(object(), stated({ readyReplicas: 2 }), now)).toEqual({
      readyReplicas: 2,
      observedGeneration: 3,
      conditions: [{ ...ready, lastTransitionTime: now }],
    });
  });

  it("changes the timestamp of a condition only with its status", () => {
    const status = { observedGeneration: 3, conditions: [ready] };
    expect(nextStatus(object(status), { conditions: [condition("Ready", true, "Replicas", "3 ready")] }, now)).toMatchObject({
      conditions: [{ message: "3 ready", lastTransitionTime: then }],
    });
    expect(nextStatus(object(status), { conditions: [condition("Ready", false, "Replicas", "1 ready")] }, now)).toMatchObject({
      conditions: [{ status: "False", lastTransitionTime: now }],
    });
  });

  it("keeps the conditions of others, and drops fields that are no longer stated", () => {
    const theirs = { ...ready, type: "Theirs" };
    expect(
      nextStatus(
        object({ observedGeneration: 3, old: 1, conditions: [theirs, ready] }),
        { conditions: [condition("Ready", true, "Replicas", "2 ready")] },
        now,
      ),
    ).toEqual({ observedGeneration: 3, conditions: [theirs, ready] });
  });

  it("returns undefined if nothing changed", () => {
    expect(nextStatus(object({ observedGeneration: 3, ready: 2, conditions: [ready] }), stated({ ready: 2 }), now)).toBeUndefined();
    expect(nextStatus(object({ observedGeneration: 2, ready: 2, conditions: [ready] }), stated({ ready: 2 }), now)).toMatchObject({
      observedGeneration: 3,
    });
    expect(
      nextStatus(object({ observedGeneration: 3, ready: 2, conditions: [{ ...ready, observedGeneration: 2 }] }), stated({ ready: 2 }), now),
    ).toMatchObject({ conditions: [ready] });
  });

  it("returns undefined if the kind has no field for what changed", () => {
    const { observedGeneration: _generation, message: _message, ...bare } = ready;
    const silent = { conditions: [condition("Ready", true, "Replicas")] };
    expect(nextStatus(object({ observedGeneration: 3, conditions: [{ ...bare, lastUpdateTime: null }] }), silent, now)).toBeUndefined();
    expect(nextStatus(object({ conditions: [bare] }), silent, now)).toBeUndefined();
    expect(nextStatus(object({}), {}, now)).toBeUndefined();
    expect(nextStatus(object(), {}, now)).toEqual({ observedGeneration: 3 });
    expect(nextStatus(object({ conditions: [bare] }), { conditions: [condition("Ready", false, "Replicas")] }, now)).toMatchObject({
      observedGeneration: 3,
      conditions: [{ status: "False", observedGeneration: 3 }],
    });
  });
});

describe("writeStatus", () => {
  const clock = new ManualClock();
  const sent: HttpRequest[] = [];
  const client = createClient({
    clock,
    log: recordingLog(clock),
    namespace: "shop",
    transport: (request) => {
      sent.push(request);
      return Promise.resolve(jsonResponse(JSON.parse(request.body as string) as object));
    },
  });

  it("updates the status subresource with the observed version", async () => {
    await writeStatus(Deployment, object(), { conditions: [condition("Ready", true, "Replicas")] }, { client, clock });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /apis/apps/v1/namespaces/shop/deployments/web/status"]);
    expect(JSON.parse(sent[0]?.body as string)).toMatchObject({ metadata: { resourceVersion: "9" }, status: { observedGeneration: 3 } });
  });

  it("sends nothing if the status is equal, and returns the given object", async () => {
    sent.length = 0;
    const same = object({ observedGeneration: 3, conditions: [ready] });
    expect(await writeStatus(Deployment, same, { conditions: [condition("Ready", true, "Replicas", "2 ready")] }, { client, clock })).toBe(
      same,
    );
    expect(sent).toEqual([]);
  });
});
