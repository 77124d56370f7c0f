import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { realClusterMissing, startRealCluster } from "./real-cluster.ts";
import type { RealCluster } from "./real-cluster.ts";

const labels = { app: "web" };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "example/web:1" }] } },
  },
};

async function readUntil<T>({ send }: RealCluster, path: string, holds: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = JSON.parse((await send({ method: "GET", path })).body) as T;
    if (holds(value)) return value;
    await delay(100);
  }
  throw new Error(`${path} never became what was waited for`);
}

async function within(cluster: RealCluster, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await cluster.stop();
  }
}

const create = ({ send }: RealCluster): ReturnType<RealCluster["send"]> =>
  send({
    method: "POST",
    path: "/apis/apps/v1/namespaces/default/deployments",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(deployment),
  });

interface List {
  readonly items: readonly {
    readonly metadata: { readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[] };
    readonly status: { readonly phase?: string };
  }[];
}

describe("a real cluster", () => {
  it("has controllers: a Deployment gets a ReplicaSet with pods", { timeout: 120_000 }, async (context) => {
    const missing = realClusterMissing();
    if (missing !== undefined) context.skip(missing);
    const cluster = await startRealCluster();
    await within(cluster, async () => {
      expect((await create(cluster)).status).toBe(201);
      const sets = await readUntil<List>(cluster, "/apis/apps/v1/namespaces/default/replicasets", ({ items }) => items.length === 1);
      expect(sets.items[0]?.metadata.ownerReferences).toMatchObject([{ kind: "Deployment", name: "web" }]);
      const pods = await readUntil<List>(cluster, "/api/v1/namespaces/default/pods", ({ items }) => items.length === 2);
      expect(pods.items.map(({ status }) => status.phase)).toEqual(["Pending", "Pending"]);
    });
  });

  it("has nodes on which pods start and end", { timeout: 120_000 }, async (context) => {
    const options = { scheduler: true, kwok: { count: 2 } };
    const missing = realClusterMissing(options);
    if (missing !== undefined) context.skip(missing);
    const cluster = await startRealCluster(options);
    await within(cluster, async () => {
      await create(cluster);
      await readUntil<{ readonly status: { readonly readyReplicas?: number } }>(
        cluster,
        "/apis/apps/v1/namespaces/default/deployments/web",
        ({ status }) => status.readyReplicas === 2,
      );
      await cluster.send({ method: "DELETE", path: "/apis/apps/v1/namespaces/default/deployments/web" });
      await readUntil<List>(cluster, "/api/v1/namespaces/default/pods", ({ items }) => items.length === 0);
    });
  });
});
