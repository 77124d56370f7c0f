import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import { newConflict, newForbidden, objectKey } from "@drover/machinery";
import type { Kind, KubeObject, Status } from "@drover/machinery";
import { ClaimError, Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { deployment, pod, replicaSet } from "../testing/workload-objects.ts";
import type { PodParts, ReplicaSetParts } from "../testing/workload-objects.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { relatedPods, syncReplicaSet } from "./sync-replica-set.ts";

const key = objectKey("web", "shop");
const ours = (parts: PodParts = {}): PodView => pod({ owner: { object: replicaSet() as ReplicaSet, kind: ReplicaSet }, ...parts });

interface Scene {
  readonly pods?: readonly PodView[];
  readonly live?: ReplicaSetView;
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly expect?: (expectations: Expectations) => void;
}

async function synced(
  set: ReplicaSetParts | undefined,
  { pods = [], live, refuse, expect: expectIt = () => undefined }: Scene = {},
): Promise<{
  readonly requests: readonly string[];
  readonly result: unknown;
  readonly expectations: Expectations;
  readonly asked: readonly unknown[];
}> {
  const server = echoServer(refuse);
  const cached = set === undefined ? [] : [replicaSet(set)];
  const expectations = new Expectations({ clock: server.clock });
  expectIt(expectations);
  server.objects.set("replicasets/web", live ?? cached[0]);
  const result = await syncReplicaSet(
    { key, client: server.client, signal: new AbortController().signal },
    {
      replicaSets: await syncedInformer<ReplicaSet>(...cached),
      pods: await syncedInformer<Pod>(...pods),
      expectations,
      events: recordingEvents(),
      clock: server.clock,
      burst: 500,
      expectationsMs: 300_000,
    },
  ).catch((error: unknown) => error);
  return { requests: server.requests(), result, expectations, asked: server.asked };
}

const done = { type: "done" };

describe("syncReplicaSet", () => {
  it("R016: forgets expectations of a ReplicaSet that is gone", async () => {
    const { requests, result, expectations } = await synced(undefined, {
      expect: (expectations_) => expectations_.expectCreations(key, 2),
    });
    expect([requests, result, expectations.satisfied(key)]).toEqual([[], done, true]);
  });

  it("creates missing pods, then writes the status as observed", async () => {
    expect(await synced({ replicas: 2 })).toMatchObject({
      requests: ["POST pods", "POST pods", "PUT replicasets/web/status"],
      result: done,
    });
  });

  it("R004: with unmet expectations creates nothing, writes the status, and requeues for their expiry", async () => {
    const waiting = await synced({ replicas: 2 }, { expect: (expectations) => expectations.expectCreations(key, 2) });
    expect(waiting).toMatchObject({ requests: ["PUT replicasets/web/status"], result: { type: "after", afterMs: 300_001 } });
  });

  it("R012: retries a failed status write", async () => {
    const { result } = await synced(
      { replicas: 0 },
      {
        refuse: (what) => (what.startsWith("PUT") ? newConflict({ group: "apps", resource: "replicasets" }, "web", "changed") : undefined),
      },
    );
    expect(String(result)).toContain("changed");
  });

  it("writes the status when no pod could be created, then retries", async () => {
    const { requests, result, asked } = await synced(
      { replicas: 2 },
      { refuse: (what) => (what === "POST pods" ? newForbidden({ group: "", resource: "pods" }, "", "exceeded quota") : undefined) },
    );
    expect(requests).toEqual(["POST pods", "PUT replicasets/web/status"]);
    expect(asked[1]).toMatchObject({
      body: { status: { conditions: [{ type: "ReplicaFailure", reason: "FailedCreate", message: "pods is forbidden: exceeded quota" }] } },
    });
    expect(result).toMatchObject({ type: "retry" });
  });

  it("adopts a matching pod, releases one that no longer matches, and counts its own", async () => {
    const { requests } = await synced(
      { replicas: 1 },
      { pods: [pod({ name: "orphan" }), ours({ name: "lost", labels: { app: "x" } }), ours({ name: "failed", phase: "Failed" })] },
    );
    expect(requests).toEqual(["PATCH pods/lost", "GET replicasets/web", "PATCH pods/orphan", "PUT replicasets/web/status"]);
  });

  it("R021: retries a failed adoption and creates nothing", async () => {
    const { requests, result } = await synced(
      { replicas: 1 },
      {
        pods: [pod({ name: "orphan" })],
        refuse: (what) => (what.startsWith("PATCH") ? newForbidden({ group: "", resource: "pods" }, "orphan", "no") : undefined),
      },
    );
    expect(requests).toEqual(["GET replicasets/web", "PATCH pods/orphan"]);
    expect(result).toBeInstanceOf(ClaimError);
  });

  it("R022: neither adopts, creates nor deletes for one that is being deleted", async () => {
    expect(await synced({ replicas: 5, isDeleting: true }, { pods: [pod({ name: "orphan" }), ours()] })).toMatchObject({
      requests: ["PUT replicasets/web/status"],
    });
  });

  it("R023: writes nothing when only the server knows that it is being deleted", async () => {
    const { requests, result } = await synced({ replicas: 1 }, { pods: [pod({ name: "orphan" })], live: replicaSet({ isDeleting: true }) });
    expect(requests).toEqual(["GET replicasets/web"]);
    expect(String(result)).toMatch(/can't adopt Pod shop\/orphan/);
  });

  it("R024: requeues for when its first ready pod becomes available", async () => {
    const pods = [
      ours({ name: "a", phase: "Pending" }),
      ours({ name: "b", readyFor: 0 }),
      ours({ name: "c", readyFor: 2 }),
      ours({ name: "d", readyFor: 4 }),
    ];
    const { result, asked } = await synced({ replicas: 4, minReadySeconds: 5 }, { pods });
    expect(asked).toMatchObject([{ body: { status: { replicas: 4, readyReplicas: 3 } } }]);
    expect(result).toEqual({ type: "after", afterMs: 1000 });
  });

  it("counts its terminating pods", async () => {
    const { asked } = await synced(
      { replicas: 0 },
      {
        pods: [
          ours({ isDeleting: true }),
          ours({ name: "b", isDeleting: true, labels: { app: "x" } }),
          pod({ name: "c", isDeleting: true }),
        ],
      },
    );
    expect(asked).toMatchObject([{ body: { status: { replicas: 0, terminatingReplicas: 1 } } }]);
  });

  it("stops at an invalid selector", async () => {
    const server = echoServer();
    const broken = { ...replicaSet(), spec: { selector: { matchExpressions: [{ key: "a", operator: "In" as const, values: [] }] } } };
    const result = await syncReplicaSet(
      { key, client: server.client, signal: new AbortController().signal },
      {
        replicaSets: await syncedInformer<ReplicaSet>(broken),
        pods: await syncedInformer<Pod>(),
        expectations: new Expectations(server),
        events: recordingEvents(),
        clock: server.clock,
        burst: 1,
        expectationsMs: 1,
      },
    );
    expect(result).toMatchObject({
      type: "stop",
      reason: expect.stringContaining("error converting pod selector to selector for rs shop/web") as string,
    });
  });
});

describe("relatedPods", () => {
  const owner = (uid: string): { readonly object: KubeObject; readonly kind: Kind } => ({
    object: { ...(deployment() as Deployment), metadata: { name: uid, uid } },
    kind: Deployment,
  });
  const related = async (
    set: ReplicaSetView,
    sets: readonly ReplicaSetView[],
    ...pods: readonly PodView[]
  ): Promise<readonly (string | undefined)[]> =>
    relatedPods(set, { replicaSets: await syncedInformer<ReplicaSet>(...sets), pods: await syncedInformer<Pod>(...pods) }).map(
      ({ metadata }) => metadata.name,
    );

  it("R007: returns active pods of itself and of ReplicaSets with the same owner", async () => {
    const [a, b, other] = [
      replicaSet({ name: "a", selector: { v: "a" }, owner: owner("d"), isDeleting: true }),
      replicaSet({ name: "b", selector: { v: "b" }, owner: owner("d") }),
      replicaSet({ name: "c", selector: { v: "c" }, owner: owner("e") }),
    ];
    const of = (name: string, v: string, parts: PodParts = {}): PodView => pod({ name, labels: { v }, ...parts });
    expect(await related(a, [a, b, other], of("1", "a"), of("2", "b"), of("3", "c"), of("4", "a", { phase: "Failed" }))).toEqual([
      "1",
      "2",
    ]);
  });

  it("R007: returns none without an owner", async () => {
    expect(await related(replicaSet(), [replicaSet()], pod())).toEqual([]);
  });
});
