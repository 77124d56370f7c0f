import type { ControllerRevision, StatefulSet } from "@drover/api/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { Result } from "@drover/controller";
import { newForbidden, objectKey } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { RevisionView } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { member, revisionOf, statefulSet } from "../testing/stateful-set-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";
import { syncStatefulSet } from "./sync-stateful-set.ts";

interface Looked {
  readonly result: Result | Error;
  readonly server: EchoServer;
}

interface Before {
  readonly set?: StatefulSetView;
  readonly pods?: readonly PodView[];
  readonly revisions?: readonly RevisionView[];
  readonly refuse?: (what: string, count: number) => Status | undefined;
}

async function look({ set, pods = [], revisions = [revisionOf("web-1")], refuse }: Before): Promise<Looked> {
  const server = echoServer(refuse);
  const { random } = testRuntime();
  if (set !== undefined) server.objects.set("statefulsets/web", set);
  const options = {
    sets: await syncedInformer<StatefulSet>(...(set === undefined ? [] : [set])),
    pods: await syncedInformer<Pod>(...pods),
    revisions: await syncedInformer<ControllerRevision>(...revisions),
    claims: await syncedInformer<PersistentVolumeClaim>(),
    clock: server.clock,
    random,
    events: recordingEvents(),
  };
  const result = await syncStatefulSet(
    { key: objectKey("web", "shop"), client: server.client, signal: new AbortController().signal },
    options,
  ).catch((error: unknown) => error as Error);
  return { result, server };
}

const settled = {
  replicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  currentReplicas: 1,
  updatedReplicas: 1,
  currentRevision: "web-1",
  updateRevision: "web-1",
  observedGeneration: 1,
};

describe("syncStatefulSet", () => {
  it("does nothing for a set that is gone or complete", async () => {
    for (const before of [{}, { set: statefulSet({ status: settled }), pods: [member(0)] }]) {
      const { result, server } = await look(before);
      expect([result, server.requests()]).toEqual([{ type: "done" }, []]);
    }
  });

  it("creates a revision, then a pod, then writes the status", async () => {
    const { server } = await look({ set: statefulSet({ replicas: 2 }), revisions: [] });
    expect(server.requests()).toEqual(["POST controllerrevisions", "POST pods", "PUT statefulsets/web/status"]);
    expect(server.asked.at(-1)?.body["status"]).toMatchObject({
      replicas: 0,
      collisionCount: 0,
      observedGeneration: 1,
      currentRevision: server.asked[0]?.body.metadata.name,
      updateRevision: server.asked[0]?.body.metadata.name,
    });
  });

  it("writes the status when a pod could not be created, and retries", async () => {
    const { result, server } = await look({
      set: statefulSet({ replicas: 1 }),
      refuse: (what) => (what === "POST pods" ? newForbidden({ group: "", resource: "pods" }, "web-0", "quota") : undefined),
    });
    expect(result).toMatchObject({ message: expect.stringContaining("quota") as string });
    expect(server.requests()).toEqual(["POST pods", "PUT statefulsets/web/status"]);
  });

  it("throws the pod's error when the status write fails too", async () => {
    const { result } = await look({ set: statefulSet(), refuse: (what) => newForbidden({ group: "", resource: "pods" }, "", what) });
    expect(result).toMatchObject({ message: expect.stringContaining("POST pods") as string });
  });

  it("treats a terminating namespace as no failure", async () => {
    const going: Status = {
      ...newForbidden({ group: "", resource: "pods" }, "web-0", "going"),
      details: { causes: [{ reason: "NamespaceTerminating", message: "", field: "" }] },
    };
    expect((await look({ set: statefulSet(), refuse: (what) => (what === "POST pods" ? going : undefined) })).result).toEqual({
      type: "done",
    });
  });

  it("writes only the status of a set that is being deleted, and adopts nothing", async () => {
    const { result, server } = await look({
      set: statefulSet({ replicas: 3, isDeleting: true, status: { currentRevision: "web-1", updateRevision: "web-1" } }),
      pods: [member(0), pod({ name: "web-1" })],
      revisions: [],
    });
    expect(result).toEqual({ type: "done" });
    expect(server.requests()).toEqual(["PUT statefulsets/web/status"]);
    expect(server.asked[0]?.body["status"]).toMatchObject({ replicas: 1, currentRevision: "web-1" });
  });

  it("requeues for when the next pod becomes available", async () => {
    const { result } = await look({ set: statefulSet({ replicas: 1, minReadySeconds: 15, status: settled }), pods: [member(0)] });
    expect(result).toEqual({ type: "after", afterMs: 5000 });
  });

  it("deletes old revisions even after a failure", async () => {
    const history = [revisionOf("web-0", { image: "web:0" }), revisionOf("web-1", { revision: 2 })];
    const { server } = await look({
      set: statefulSet({ revisionHistoryLimit: 0 }),
      revisions: history,
      refuse: (what) => (what === "POST pods" ? newForbidden({ group: "", resource: "pods" }, "web-0", "no") : undefined),
    });
    expect(server.requests()).toEqual(["POST pods", "PUT statefulsets/web/status", "DELETE controllerrevisions/web-0"]);
  });

  it("adopts pods by name, and releases its own with another name", async () => {
    const stray = { ...member(0), metadata: { ...member(0).metadata, name: "odd", uid: "odd-uid" } };
    const { server } = await look({
      set: statefulSet({ status: settled }),
      pods: [pod({ name: "web-0", readyFor: 10 }), pod({ name: "other" }), stray],
    });
    expect(server.requests().filter((what) => what.startsWith("PATCH"))).toEqual(["PATCH pods/odd", "PATCH pods/web-0"]);
  });

  it("keeps its own revision whose labels changed: it is deleted with the set", async () => {
    const lost = revisionOf("web-lost");
    const { server } = await look({
      set: statefulSet({ status: settled }),
      pods: [member(0)],
      revisions: [revisionOf("web-1"), { ...lost, metadata: { ...lost.metadata, labels: { app: "db" } } }],
    });
    expect(server.requests()).toEqual([]);
  });

  it("stops at an invalid selector", async () => {
    const set = statefulSet();
    const odd = { ...set, spec: { template: {}, selector: { matchExpressions: [{ key: "a", operator: "Odd" as "In" }] } } };
    expect((await look({ set: odd })).result).toMatchObject({ type: "stop" });
  });
});
