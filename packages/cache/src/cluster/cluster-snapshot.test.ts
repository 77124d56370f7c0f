/** Restarts of a program with snapshots, against the embedded server. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { HttpRequest, Transport } from "@drover/machinery";
import { objectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemorySnapshots } from "../testing/memory-snapshots.ts";
import { createCluster } from "./cluster.ts";
import type { Cluster, ClusterOptions } from "./cluster.ts";

interface Stage {
  readonly runtime: TestRuntime;
  readonly store: MemorySnapshots;
  readonly paths: string[];
  readonly client: Cluster["client"];
  /** Runs a process until `work` is over. */
  readonly during: <R>(work: (cluster: Cluster) => Promise<R>, more?: Partial<ClusterOptions["snapshot"]>) => Promise<R>;
  readonly close: () => void;
}

async function stage(objects: number, seed = 1): Promise<Stage> {
  const runtime = testRuntime({ seed });
  const { clock } = runtime;
  const server = await createApiServer({ runtime, host: nodeHost });
  const store = new MemorySnapshots();
  const paths: string[] = [];
  const transport: Transport = (request: HttpRequest) => {
    paths.push(request.path);
    return server.handle(request);
  };
  const { client } = createCluster({ runtime, transport: server.handle, namespace: "default" });
  for (let index = 0; index < objects; index++)
    await client.create(ConfigMap, { metadata: { name: `n${index}` }, data: { at: String(index) } });
  return {
    runtime,
    store,
    paths,
    client,
    during: async (work, more = {}) => {
      const cluster = createCluster({ runtime, transport, namespace: "default", format: "protobuf", snapshot: { store, ...more } });
      const stop = new AbortController();
      const running = cluster.run(stop.signal);
      const result = await work(cluster);
      stop.abort();
      await clock.advance(10_000);
      await running;
      return result;
    },
    close: () => server.close(),
  };
}

describe("a cluster with snapshots", () => {
  it("resumes its caches after a restart, and lists nothing", async () => {
    const { runtime, client, paths, during, close } = await stage(600);
    const { clock } = runtime;
    await during(async (cluster) => {
      cluster.informers.acquire(ConfigMap);
      await clock.advance(1000);
    });
    await client.delete(ConfigMap, "n1");
    await client.create(ConfigMap, { metadata: { name: "new" } });
    paths.length = 0;
    const changes: string[] = [];
    await during(async (cluster) => {
      const { informer } = cluster.informers.acquire(ConfigMap);
      informer.addHandler(({ type, key }) => void (type === "deleted" && changes.push(`${type} ${key}`)));
      await clock.advance(3000);
      expect(informer.hasSynced).toBe(true);
      expect(informer.get(objectKey("n5", "default"))?.data).toEqual({ at: "5" });
      expect(informer.get(objectKey("n1", "default"))).toBeUndefined();
      expect(informer.get(objectKey("new", "default"))).toBeDefined();
    });
    expect(changes).toEqual(["deleted default/n1"]);
    expect(paths.filter((path) => path.includes("sendInitialEvents"))).toEqual([]);
    expect(paths.filter((path) => path.includes("/configmaps") && !path.includes("watch")).map((path) => path.split("?")[1])).toEqual([
      "limit=1",
    ]);
    close();
  });

  it("has synced a second after the start where only other kinds have changed", async () => {
    const { runtime, client, paths, during, close } = await stage(600);
    const { clock } = runtime;
    const start = async (cluster: Cluster): Promise<boolean> => {
      const { informer } = cluster.informers.acquire(ConfigMap);
      await clock.advance(1500);
      return informer.hasSynced;
    };
    expect(await during(start)).toBe(true);
    await client.create(Secret, { metadata: { name: "other" } });
    expect(await during(start)).toBe(true);
    expect(paths.filter((path) => path.includes("sendInitialEvents"))).toHaveLength(1);
    close();
  });

  it("does not use the snapshot of another cluster", async () => {
    const [one, other] = [await stage(600), await stage(3, 2)];
    await one.during(async (cluster) => {
      cluster.informers.acquire(ConfigMap);
      await one.runtime.clock.advance(1000);
    });
    for (const [name, file] of one.store.files) other.store.files.set(name, file);
    // As far as the versions tell, it is the same history.
    for (let index = 0; index < 900; index++)
      await other.client.apply(ConfigMap, { metadata: { name: "n0" }, data: { index: String(index) } }, { fieldManager: "test" });
    await other.during(async (cluster) => {
      const { informer } = cluster.informers.acquire(ConfigMap, {});
      await other.runtime.clock.advance(3000);
      expect(informer.get(objectKey("n599", "default"))).toBeUndefined();
      expect(informer.hasSynced).toBe(true);
    });
    expect(other.runtime.log.entries.map(({ fields }) => fields["why"])).toContain("it is of another server");
    one.close();
    other.close();
  });

  it("keeps no Secrets, no excluded resources, no transformed objects, and no caches of other users (X25)", async () => {
    const { runtime, client, store, during, close } = await stage(3);
    await client.create(Secret, { metadata: { name: "password" } });
    const keep = (exclude?: readonly string[]): Promise<void> =>
      during(
        async (cluster) => {
          cluster.informers.acquire(Secret);
          cluster.informers.acquireMetadata(Secret);
          cluster.informers.acquire(ConfigMap, { transform: (object) => object });
          cluster.through((next) => next).informers.acquire(ConfigMap);
          await runtime.clock.advance(1000);
        },
        exclude === undefined ? {} : { exclude },
      );
    await keep();
    expect([...store.files.keys()]).toEqual([]);
    expect(runtime.log.entries.map(({ message }) => message)).toContain("no snapshot of a cache with a transform or tweaked list options");
    await keep([]);
    expect([...store.files.keys()].map((name) => name.split("-")[0])).toEqual(["secrets", "secrets"]);
    close();
  });
});
