import { Deployment } from "@drover/api/apps/v1";
import { newAlreadyExists, newForbidden, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import type { DeploymentParts } from "../testing/workload-objects.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { createNewSet, newReplicaSet, newSetAnnotations, replicaSetName, syncNewSet } from "./new-replica-set.ts";
import type { Rollout } from "./new-replica-set.ts";

const revision = "deployment.kubernetes.io/revision";
const replicaSets = { group: "apps", resource: "replicasets" };

interface Stage {
  readonly server: ReturnType<typeof echoServer>;
  readonly events: ReturnType<typeof recordingEvents>;
  readonly run: Parameters<typeof createNewSet>[0];
}

function stage(refuse?: (what: string) => Status | undefined): Stage {
  const [server, events] = [echoServer(refuse), recordingEvents()];
  return { server, events, run: { ...server, events, signal: new AbortController().signal } };
}

describe("replicaSetName", () => {
  it("appends the hash to the Deployment's name", () => {
    expect(replicaSetName("web", "abc")).toBe("web-abc");
  });

  it("D036, D037: has at most 253 characters and keeps the whole hash", () => {
    const name = replicaSetName("w".repeat(253), "76f464fd7c");
    expect([name.length, name.endsWith("w-76f464fd7c")]).toEqual([253, true]);
  });
});

describe("newReplicaSet", () => {
  it("has the template, the hash in three places, its owner, size and revision", () => {
    const wanted = deployment({ name: "web", replicas: 4, surge: 1, annotations: { note: "a", [revision]: "9" } });
    const made = newReplicaSet(wanted, [replicaSet({ replicas: 3 })], 3n);
    const hash = made.metadata.labels?.["pod-template-hash"] ?? "";
    expect(made).toEqual({
      metadata: {
        name: `web-${hash}`,
        namespace: "shop",
        labels: { app: "web", "pod-template-hash": hash },
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "web-uid", controller: true, blockOwnerDeletion: true },
        ],
        annotations: {
          note: "a",
          [revision]: "3",
          "deployment.kubernetes.io/desired-replicas": "4",
          "deployment.kubernetes.io/max-replicas": "5",
        },
      },
      spec: {
        replicas: 2,
        minReadySeconds: 0,
        selector: { matchLabels: { app: "web", "pod-template-hash": hash } },
        template: {
          metadata: { labels: { app: "web", "pod-template-hash": hash } },
          spec: { containers: [{ name: "web", image: "web:1" }] },
        },
      },
    });
    expect(newReplicaSet(deployment({ status: { collisionCount: 1 } }), [], 1n).metadata.name).not.toBe(
      newReplicaSet(deployment(), [], 1n).metadata.name,
    );
  });

  it("keeps annotations whose revision is not a number", () => {
    const annotations = { [revision]: "one" };
    expect(newSetAnnotations(replicaSet({ annotations }), deployment({ annotations: { note: "a" } }), 2n)).toEqual(annotations);
  });
});

describe("syncNewSet", () => {
  const rollout = (parts: DeploymentParts, newSet: ReplicaSetView, oldSets: readonly ReplicaSetView[] = []): Rollout => ({
    deployment: deployment(parts),
    newSet,
    oldSets,
  });
  it("writes an outdated ReplicaSet and then not the Deployment", async () => {
    const { server, run } = stage();
    const { newSet } = await syncNewSet(
      run,
      rollout({ annotations: { note: "a" } }, replicaSet({ annotations: { [revision]: "1" } }), [
        replicaSet({ name: "old", annotations: { [revision]: "2" } }),
      ]),
    );
    expect(server.requests()).toEqual(["PUT replicasets/web"]);
    expect(newSet?.metadata.annotations).toEqual({ note: "a", [revision]: "3", "deployment.kubernetes.io/revision-history": "1" });
  });

  it("writes a changed minReadySeconds", async () => {
    const { server, run } = stage();
    await syncNewSet(run, rollout({}, replicaSet({ annotations: { [revision]: "1" }, minReadySeconds: 5 })));
    expect(server.asked).toMatchObject([{ what: "PUT replicasets/web", body: { spec: { minReadySeconds: 0 } } }]);
  });

  it("writes the revision to the Deployment with reason FoundNewReplicaSet", async () => {
    const { server, run } = stage();
    const { deployment: after } = await syncNewSet(run, rollout({ deadline: 60 }, replicaSet({ annotations: { [revision]: "1" } })));
    expect(server.requests()).toEqual(["PUT deployments/web/status"]);
    expect(after).toMatchObject({
      metadata: { annotations: { [revision]: "1" } },
      status: {
        conditions: [{ type: "Progressing", status: "True", reason: "FoundNewReplicaSet", message: 'Found new replica set "web"' }],
      },
    });
  });

  it("writes nothing when everything is up to date", async () => {
    const { server, run } = stage();
    const before = rollout({ annotations: { [revision]: "1" } }, replicaSet({ annotations: { [revision]: "1" } }));
    expect(await syncNewSet(run, before)).toEqual(before);
    expect(await syncNewSet(run, { ...before, newSet: undefined })).toMatchObject({ newSet: undefined });
    expect(server.requests()).toEqual([]);
  });
});

describe("createNewSet", () => {
  const missing = (parts: DeploymentParts = {}): Rollout => ({
    deployment: deployment({ deadline: 60, replicas: 2, surge: 0, ...parts }),
    newSet: undefined,
    oldSets: [],
  });
  it("creates the ReplicaSet, records an event and writes the revision to the Deployment", async () => {
    const { server, events, run } = stage();
    const { newSet, deployment: after } = await createNewSet(run, missing(), () => undefined);
    expect(server.requests()).toEqual(["POST replicasets", "PUT deployments/web/status"]);
    expect(events.told).toEqual([`Normal ScalingReplicaSet Scaled up replica set ${newSet.metadata.name} from 0 to 2`]);
    expect(after).toMatchObject({
      metadata: { annotations: { [revision]: "1" } },
      status: { conditions: [{ reason: "NewReplicaSetCreated", message: `Created new replica set "${newSet.metadata.name}"` }] },
    });
  });

  it("records an event only for a ReplicaSet with pods, and no progress without a deadline", async () => {
    const { events, run } = stage();
    const { deployment: after } = await createNewSet(run, missing({ replicas: 0, deadline: 2_147_483_647 }), () => undefined);
    expect([events.told, after.status?.conditions]).toEqual([[], undefined]);
  });

  const exists = (what: string): Status | undefined => (what === "POST replicasets" ? newAlreadyExists(replicaSets, "web-x") : undefined);
  it("uses a ReplicaSet that an earlier run created", async () => {
    const { server, events, run } = stage(exists);
    const ours = replicaSet({ name: "web-x", owner: { object: deployment() as Deployment, kind: Deployment } });
    expect((await createNewSet(run, missing(), () => ours)).newSet).toBe(ours);
    expect([server.requests(), events.told]).toEqual([["POST replicasets", "PUT deployments/web/status"], []]);
  });

  it("increments the collision count when another ReplicaSet has the name", async () => {
    for (const other of [
      replicaSet({ name: "web-x" }),
      replicaSet({ name: "web-x", image: "web:9", owner: { object: deployment() as Deployment, kind: Deployment } }),
    ]) {
      const { server, run } = stage(exists);
      await expect(createNewSet(run, missing({ status: { collisionCount: 1 } }), () => other)).rejects.toThrow("already exists");
      expect(server.asked.at(-1)).toMatchObject({ what: "PUT deployments/web/status", body: { status: { collisionCount: 2 } } });
    }
  });

  it("reads a ReplicaSet that the cache lacks, and retries when it is gone meanwhile", async () => {
    const { server, run } = stage(exists);
    await expect(createNewSet(run, missing(), () => undefined)).rejects.toThrow("not found");
    expect(server.requests().at(-1)).toMatch(/^GET replicasets\/web-/);
  });

  it("reports a failed create as an event and a condition", async () => {
    const refused = (what: string): Status | undefined =>
      what === "POST replicasets" ? newForbidden(replicaSets, "web-x", "exceeded quota") : undefined;
    const { server, events, run } = stage(refused);
    await expect(createNewSet(run, missing(), () => undefined)).rejects.toThrow("exceeded quota");
    const message = events.told[0]?.replace("Warning ReplicaSetCreateError ", "");
    expect(message).toMatch(/^Failed to create new replica set "web-[a-z0-9]+": replicasets.apps "web-x" is forbidden: exceeded quota$/);
    expect(server.asked.at(-1)).toMatchObject({
      what: "PUT deployments/web/status",
      body: { status: { conditions: [{ type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message }] } },
    });
  });

  it("reports nothing in a terminating namespace", async () => {
    const going = (): Status => ({
      ...newForbidden(replicaSets, "web-x", "it is being terminated"),
      details: { causes: [{ reason: "NamespaceTerminating" }] },
    });
    const { server, events, run } = stage(going);
    await expect(createNewSet(run, missing(), () => undefined)).rejects.toThrow("being terminated");
    expect([server.requests(), events.told]).toEqual([["POST replicasets"], []]);
  });

  it("throws the error of the create even when writing the status fails", async () => {
    const { run } = stage((what) =>
      what === "POST replicasets" ? newForbidden(replicaSets, "web-x", "exceeded quota") : newNotFound(replicaSets, "web"),
    );
    await expect(createNewSet(run, missing(), () => undefined)).rejects.toThrow("exceeded quota");
  });
});
