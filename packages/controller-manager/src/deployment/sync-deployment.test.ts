import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import { isConflict, newConflict, newForbidden, objectKey } from "@drover/machinery";
import type { DeepReadonly, Status } from "@drover/machinery";
import { ClaimError } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { ago, deployment, pod, replicaSet } from "../testing/workload-objects.ts";
import type { DeploymentParts, ReplicaSetParts } from "../testing/workload-objects.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { syncDeployment } from "./sync-deployment.ts";

const revision = "deployment.kubernetes.io/revision";
const wants = (replicas: number, max = replicas): Readonly<Record<string, string>> => ({
  "deployment.kubernetes.io/desired-replicas": String(replicas),
  "deployment.kubernetes.io/max-replicas": String(max),
});
const owner = { object: deployment() as Deployment, kind: Deployment };
const owned = ({ annotations, ...parts }: ReplicaSetParts): ReplicaSetView =>
  replicaSet({ owner, annotations: { [revision]: "1", ...wants(1), ...annotations }, ...parts });

interface Scene {
  readonly sets?: readonly ReplicaSetView[];
  readonly pods?: readonly DeepReadonly<Pod>[];
  readonly refuse?: (what: string) => Status | undefined;
  /** What the server has of the Deployment, where that is not what the cache shows. */
  readonly live?: ReturnType<typeof deployment>;
}

async function synced(
  wanted: ReturnType<typeof deployment>,
  { sets = [], pods = [], refuse, live = wanted }: Scene = {},
): Promise<{
  readonly requests: readonly string[];
  readonly told: readonly string[];
  readonly result: unknown;
  readonly asked: readonly unknown[];
}> {
  const [server, events] = [echoServer(refuse), recordingEvents()];
  server.objects.set("deployments/web", live);
  for (const set of sets) server.objects.set(`replicasets/${set.metadata.name}`, set);
  const result = await syncDeployment(
    { key: objectKey("web", "shop"), client: server.client, signal: new AbortController().signal },
    {
      deployments: await syncedInformer<Deployment>(wanted),
      replicaSets: await syncedInformer<ReplicaSet>(...sets),
      pods: await syncedInformer<Pod>(...pods),
      events,
      clock: server.clock,
    },
  ).catch((error: unknown) => error);
  return { requests: server.requests(), told: events.told, result, asked: server.asked };
}

const done = { type: "done" };
const parts = (more: DeploymentParts = {}): ReturnType<typeof deployment> => deployment({ annotations: { [revision]: "1" }, ...more });

describe("syncDeployment", () => {
  it("does nothing for a Deployment that is gone", async () => {
    expect(await synced({ ...deployment(), metadata: { name: "other", namespace: "shop" } })).toMatchObject({ requests: [], result: done });
  });

  it("creates the new ReplicaSet and records it", async () => {
    const { requests, result } = await synced(deployment());
    expect([requests, result]).toEqual([["POST replicasets", "PUT deployments/web/status", "PUT deployments/web/status"], done]);
  });

  it("D106: writes only the status of a Deployment that is being deleted", async () => {
    expect((await synced(deployment({ isDeleting: true }))).requests).toEqual(["PUT deployments/web/status"]);
    expect(
      (await synced(parts({ isDeleting: true, replicas: 5 }), { sets: [owned({}), replicaSet({ name: "orphan" })] })).requests,
    ).toEqual(["PUT deployments/web/status"]);
  });

  it("D107: adopts nothing when the server says that it is being deleted", async () => {
    const { requests, result } = await synced(deployment(), {
      sets: [replicaSet({ name: "orphan" })],
      live: deployment({ isDeleting: true }),
    });
    expect(requests).toEqual(["GET deployments/web"]);
    expect(result).toBeInstanceOf(ClaimError);
    expect(String(result)).toMatch(/can't adopt ReplicaSet shop\/orphan \(orphan-uid\): shop\/web has just been deleted at/);
  });

  it("D108: leaves a Deployment with an empty selector alone and records an event", async () => {
    const everything = (more: DeploymentParts): ReturnType<typeof deployment> => deployment({ selector: {}, ...more });
    expect(await synced(everything({ generation: 2 }))).toMatchObject({
      requests: ["PUT deployments/web/status"],
      told: ["Warning SelectingAll This deployment is selecting all pods. A non-empty selector is required."],
      result: done,
    });
    expect((await synced(everything({ status: { observedGeneration: 1 } }))).requests).toEqual([]);
  });

  it("stops at an invalid selector", async () => {
    const broken = deployment();
    expect(
      await synced({ ...broken, spec: { template: {}, selector: { matchExpressions: [{ key: "a", operator: "In", values: [] }] } } }),
    ).toMatchObject({
      requests: [],
      result: { type: "stop", reason: expect.stringContaining("deployment shop/web has invalid label selector") as string },
    });
  });

  it("D109: rolls back with one write of the Deployment", async () => {
    const sets = [owned({ name: "web-1", createdAgo: 9 }), owned({ name: "web-2", image: "web:2", annotations: { [revision]: "2" } })];
    const { requests, told, asked } = await synced(
      deployment({ image: "web:2", annotations: { [revision]: "2", "deprecated.deployment.rollback.to": "1" } }),
      { sets },
    );
    expect(requests).toEqual(["PUT deployments/web"]);
    expect(told).toEqual(['Normal DeploymentRollback Rolled back deployment "web" to revision 1']);
    expect(asked).toMatchObject([{ body: { spec: { template: { spec: { containers: [{ image: "web:1" }] } } } } }]);
  });

  it("D112: considers only its own ReplicaSets", async () => {
    const other = replicaSet({
      name: "other",
      replicas: 9,
      owner: { object: { metadata: { name: "other", uid: "other-uid" } }, kind: Deployment },
    });
    expect((await synced(deployment(), { sets: [other] })).requests).toEqual([
      "POST replicasets",
      "PUT deployments/web/status",
      "PUT deployments/web/status",
    ]);
  });

  it("D113: adopts a matching orphan and releases its own that no longer matches", async () => {
    const { requests, asked } = await synced(deployment({ isPaused: true }), {
      sets: [replicaSet({ name: "orphan" }), owned({ name: "lost", labels: { app: "other" } })],
    });
    expect(requests.slice(0, 3)).toEqual(["PATCH replicasets/lost", "GET deployments/web", "PATCH replicasets/orphan"]);
    expect(asked[2]).toMatchObject({
      body: { metadata: { uid: "orphan-uid", ownerReferences: [{ uid: "web-uid", controller: true, blockOwnerDeletion: true }] } },
    });
    expect(asked[0]).toMatchObject({ body: { metadata: { uid: "lost-uid", ownerReferences: [{ $patch: "delete", uid: "web-uid" }] } } });
  });

  it("D114: waits under Recreate for every pod of an old ReplicaSet, and for no other", async () => {
    const old = owned({ name: "old", image: "web:0", replicas: 0 });
    const recreate = parts({
      strategy: "Recreate",
      status: { observedGeneration: 1 },
      conditions: [{ type: "Available", status: "False", reason: "MinimumReplicasUnavailable" }],
    });
    const ofOld = (more: Parameters<typeof pod>[0] = {}): DeepReadonly<Pod> =>
      pod({ owner: { object: old as ReplicaSet, kind: ReplicaSet }, ...more });
    expect((await synced(recreate, { sets: [old], pods: [ofOld()] })).requests).toEqual(["PUT deployments/web/status"]);
    expect((await synced(recreate, { sets: [old], pods: [ofOld({ phase: "Failed" }), pod({ name: "foreign" })] })).requests[0]).toBe(
      "POST replicasets",
    );
  });

  it("scales old ReplicaSets to zero first under Recreate", async () => {
    const { requests, told } = await synced(parts({ strategy: "Recreate" }), { sets: [owned({ name: "old", image: "web:0" })] });
    expect([requests, told]).toEqual([
      ["PUT replicasets/old", "PUT deployments/web/status"],
      ["Normal ScalingReplicaSet Scaled down replica set old from 1 to 0"],
    ]);
  });

  it("scales and cleans up a paused Deployment, without a rollout", async () => {
    const sets = [
      owned({ name: "old", image: "web:0", annotations: { [revision]: "1", ...wants(2) } }),
      owned({
        name: "older",
        image: "web:9",
        replicas: 0,
        createdAgo: 9,
        annotations: { [revision]: "0" },
        status: { replicas: 0, observedGeneration: 1 },
      }),
    ];
    const { requests, asked } = await synced(parts({ isPaused: true, replicas: 3, deadline: 60, historyLimit: 1 }), { sets });
    expect(requests).toEqual([
      "PUT deployments/web/status",
      "PUT replicasets/old",
      "DELETE replicasets/older",
      "PUT deployments/web/status",
    ]);
    expect(asked[0]).toMatchObject({ body: { status: { conditions: [{ reason: "DeploymentPaused" }] } } });
  });

  it("bases the second step on the response of the first", async () => {
    const sets = [
      owned({ name: "old", image: "web:0", replicas: 10, createdAgo: 9, annotations: wants(10), status: { availableReplicas: 9 } }),
      owned({ name: "new", replicas: 0, annotations: { [revision]: "2", ...wants(10) } }),
    ];
    const { requests, told, asked } = await synced(parts({ annotations: { [revision]: "2" }, replicas: 10, unavailable: 2 }), { sets });
    expect(requests.slice(0, 2)).toEqual(["PUT replicasets/old", "PUT replicasets/old"]);
    expect(told).toEqual([
      "Normal ScalingReplicaSet Scaled down replica set old from 10 to 9",
      "Normal ScalingReplicaSet Scaled down replica set old from 9 to 8",
    ]);
    expect(asked[1]).toMatchObject({ body: { metadata: { resourceVersion: "1001" }, spec: { replicas: 8 } } });
  });

  it("writes the status and retries when an old ReplicaSet cannot be scaled down", async () => {
    const sets = [
      owned({ name: "old", image: "web:0", createdAgo: 9, status: { availableReplicas: 1 } }),
      owned({ name: "new", annotations: { [revision]: "2" }, status: { availableReplicas: 1 } }),
    ];
    const { requests, result } = await synced(parts({ annotations: { [revision]: "2" }, surge: 1 }), {
      sets,
      refuse: (what) =>
        what === "PUT replicasets/old" ? newConflict({ group: "apps", resource: "replicasets" }, "old", "changed") : undefined,
    });
    expect(requests).toEqual(["PUT replicasets/old", "PUT deployments/web/status"]);
    expect(isConflict(result)).toBe(true);
  });

  it("requeues for a second after the progress deadline", async () => {
    const conditions = [
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
      { type: "Progressing", status: "True", reason: "ReplicaSetUpdated", lastUpdateTime: ago(20) },
    ];
    const wanted = parts({
      deadline: 60,
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1, terminatingReplicas: 0 },
      conditions,
    });
    expect(
      await synced(wanted, { sets: [owned({ status: { replicas: 1, observedGeneration: 1, terminatingReplicas: 0 } })] }),
    ).toMatchObject({ requests: [], result: { type: "after", afterMs: 41_000 } });
  });

  it("treats a terminating namespace as no failure", async () => {
    const going: Status = {
      ...newForbidden({ group: "apps", resource: "replicasets" }, "x", "it is being terminated"),
      details: { causes: [{ reason: "NamespaceTerminating" }] },
    };
    expect(await synced(deployment(), { refuse: () => going })).toMatchObject({ requests: ["POST replicasets"], result: done });
  });

  it("rejects an unknown strategy", async () => {
    const odd = { ...parts(), spec: { ...parts().spec, selector: { matchLabels: { app: "web" } }, template: {}, strategy: {} } };
    expect(String((await synced(odd, { sets: [] })).result)).toContain("unexpected deployment strategy type: undefined");
  });
});
