import { newConflict } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { member, revisionOf, statefulSet, unready } from "../testing/stateful-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { isStatusNews, statefulSetStatus, writeStatefulSetStatus } from "./stateful-set-status.ts";
import type { StatefulSetFacts } from "./stateful-set-status.ts";

const [current, update] = [revisionOf("web-old"), revisionOf("web-new", { revision: 2 })];
const [old, fresh] = [{ revision: "web-old" }, { revision: "web-new" }];
const facts = (pods: StatefulSetFacts["pods"], more: Partial<StatefulSetFacts> = {}): StatefulSetFacts => ({
  pods,
  revisions: { current, update },
  collisionCount: 0,
  takenDown: [],
  now: start,
  ...more,
});

describe("statefulSetStatus", () => {
  it("counts created, ready, available pods and those of each revision, without terminating ones", () => {
    const pods = [
      member(0, old),
      member(1, { ...old, readyFor: 1 }),
      unready(2, fresh),
      member(3, { ...fresh, isDeleting: true }),
      member(4, { ...fresh, phase: "Pending" }),
    ];
    expect(statefulSetStatus(statefulSet({ replicas: 5, minReadySeconds: 5, generation: 7 }), facts(pods, { collisionCount: 2 }))).toEqual({
      observedGeneration: 7,
      collisionCount: 2,
      replicas: 5,
      readyReplicas: 3,
      availableReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      currentRevision: "web-old",
      updateRevision: "web-new",
    });
  });

  it("does not count pods just deleted, of any revision", () => {
    const pods = [member(0, old), member(1, { revision: "web-other" }), member(2, old)];
    expect(statefulSetStatus(statefulSet({ replicas: 3 }), facts(pods, { takenDown: pods.slice(2) })).currentReplicas).toBe(1);
    expect(statefulSetStatus(statefulSet({ replicas: 3 }), facts(pods, { takenDown: pods.slice(1, 2) })).currentReplicas).toBe(2);
  });

  it("completes a rolling update when all pods exist, are updated and ready", () => {
    const complete = { currentRevision: "web-new", currentReplicas: 2, updatedReplicas: 2 };
    const done = [member(0, fresh), member(1, fresh)];
    expect(statefulSetStatus(statefulSet({ replicas: 2 }), facts(done))).toMatchObject(complete);
    for (const pods of [
      [member(0, fresh), unready(1, fresh)],
      [member(0, fresh), member(1, old)],
      [...done, member(2, fresh)],
      done.slice(1),
    ]) {
      expect(statefulSetStatus(statefulSet({ replicas: 2 }), facts(pods)).currentRevision).toBe("web-old");
    }
    expect(statefulSetStatus(statefulSet({ replicas: 2, updateStrategy: { type: "OnDelete" } }), facts(done)).currentRevision).toBe(
      "web-old",
    );
  });

  it("keeps conditions of others", () => {
    const conditions = [{ type: "Mine", status: "True" }];
    expect(statefulSetStatus(statefulSet({ status: { conditions } }), facts([])).conditions).toEqual(conditions);
  });
});

describe("writeStatefulSetStatus", () => {
  const set = statefulSet({ status: { observedGeneration: 3, replicas: 1, currentRevision: "a" } });
  it("writes a changed count, name or generation; zero equals absent", () => {
    const same = { observedGeneration: 3, replicas: 1, readyReplicas: 0, collisionCount: 0, currentRevision: "a", updateRevision: "" };
    expect(isStatusNews(set.status, same)).toBe(false);
    expect(isStatusNews(set.status, { ...same, observedGeneration: 2 })).toBe(false);
    for (const change of [
      { observedGeneration: 4 },
      { replicas: 2 },
      { readyReplicas: 1 },
      { availableReplicas: 1 },
      { currentReplicas: 1 },
      { updatedReplicas: 1 },
      { collisionCount: 1 },
      { currentRevision: "b" },
      { updateRevision: "b" },
    ]) {
      expect(isStatusNews(set.status, { ...same, ...change })).toBe(true);
    }
  });

  it("retries on the server's object, and never writes to another set of the same name", async () => {
    for (const [uid, requests] of [
      ["web-uid", ["PUT statefulsets/web/status", "GET statefulsets/web", "PUT statefulsets/web/status"]],
      ["another", ["PUT statefulsets/web/status", "GET statefulsets/web"]],
    ] as const) {
      const server = echoServer((what, count) =>
        what.startsWith("PUT") && count === 1 ? newConflict({ group: "apps", resource: "statefulsets" }, "web", "changed") : undefined,
      );
      server.objects.set("statefulsets/web", { ...set, metadata: { ...set.metadata, uid, resourceVersion: "9" } });
      const { random } = testRuntime();
      const written = writeStatefulSetStatus(set, { replicas: 5 }, { client: server.client, random, signal: new AbortController().signal });
      await server.clock.advance(1000);
      await written;
      expect(server.requests()).toEqual(requests);
    }
  });
});
