import { ConfigMap, Pod } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { objectKey, withFields } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "../cluster/cluster.ts";
import { MemorySnapshots } from "../testing/memory-snapshots.ts";

async function stage(format: "json" | "protobuf" = "json") {
  const runtime = testRuntime();
  const server = await createApiServer({ runtime, host: nodeHost });
  const requests: string[] = [];
  const transport: Transport = (request) => {
    requests.push(request.path);
    return server.handle(request);
  };
  const cluster = createCluster({ runtime, transport, namespace: "default", format });
  const writer = createCluster({ runtime, transport: server.handle, namespace: "default" }).client;
  const stop = new AbortController();
  return {
    runtime,
    clock: runtime.clock,
    server,
    cluster,
    requests,
    run: () => cluster.run(stop.signal),
    write: (name: string, colour: string) =>
      writer.apply(
        ConfigMap,
        { metadata: { name, labels: { colour } }, data: { colour, text: "x".repeat(1000) } },
        { fieldManager: "test", force: true },
      ),
    end: async (running: Promise<void>) => {
      stop.abort();
      await runtime.clock.advance(60_000);
      await running;
      server.close();
    },
  };
}

const names = ["a", "b", "c", "d", "e", "f"];
const byColour = { colour: ({ labels }: { readonly labels: Readonly<Record<string, string>> }) => [labels["colour"] ?? ""] };

describe("InformerFactory.acquireBounded", () => {
  it.each(["json", "protobuf"] as const)("reads evicted bodies as the API server has them, in %s", async (format) => {
    const { clock, cluster, write, run, end, requests } = await stage(format);
    for (const name of names) await write(name, "red");
    const lease = cluster.informers.acquireBounded(ConfigMap, { namespace: "default", bodyBytesMax: 3000, indexers: byColour });
    const changes: string[] = [];
    lease.informer.addHandler(({ type, key }) => void changes.push(`${type} ${key}`));
    const running = run();
    await clock.advance(1000);
    await cluster.informers.waitForSync(new AbortController().signal);
    expect(lease.state().bodies.count).toBe(2);
    expect(lease.informer.indexKeys("colour", "red")).toHaveLength(6);
    for (const name of names) {
      const reading = lease.informer.get(objectKey(name, "default"));
      await clock.advance(100);
      const read = await reading;
      expect(read).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { colour: "red" } });
      expect(read?.metadata.managedFields).toBeUndefined();
    }
    expect(requests.filter((path) => /configmaps\/[a-f]\?resourceVersion=\d+$/.test(path)).length).toBeGreaterThanOrEqual(4);
    const told = changes.length;
    await write("a", "blue");
    await clock.advance(1000);
    expect(changes.slice(told)).toEqual(["updated default/a"]);
    expect(lease.informer.indexKeys("colour", "blue")).toEqual(["default/a"]);
    await end(running);
  });

  it("finds nothing to repair in an audit, and delivers no updates after a relist, although bodies are evicted", async () => {
    const { clock, cluster, write, run, end, server, runtime } = await stage("protobuf");
    for (const name of names) await write(name, "red");
    const { informer } = cluster.informers.acquireBounded(ConfigMap, { namespace: "default", bodyBytesMax: 3000 });
    const changes: string[] = [];
    informer.addHandler(({ type, key }) => void changes.push(`${type} ${key}`));
    const running = run();
    await clock.advance(1000);
    // The same state with another history: every watch must relist.
    await server.restore(server.snapshot());
    await clock.advance(45 * 60_000);
    expect(changes).toEqual(names.map((name) => `added default/${name}`));
    expect(runtime.log.entries.filter(({ level }) => level === "error")).toEqual([]);
    await end(running);
  });

  it("follows a server that was restored from a backup, with other content under the same uid and version", async () => {
    const { clock, cluster, write, run, end, server } = await stage();
    for (const name of names) await write(name, "white");
    const backup = server.snapshot();
    for (const name of names) await write(name, "red");
    const { informer } = cluster.informers.acquireBounded(ConfigMap, { namespace: "default", bodyBytesMax: 3000, indexers: byColour });
    const running = run();
    await clock.advance(1000);
    expect(informer.indexKeys("colour", "red")).toHaveLength(6);
    await server.restore(backup);
    for (const name of names) await write(name, "blue");
    await clock.advance(45 * 60_000);
    expect(informer.indexKeys("colour", "blue")).toHaveLength(6);
    for (const name of names) {
      const reading = informer.get(objectKey(name, "default"));
      await clock.advance(100);
      expect((await reading)?.data?.["colour"]).toBe("blue");
    }
    await end(running);
  });

  it("shares an informer between equal requests, and stops it after the last release", async () => {
    const { clock, cluster, run, end } = await stage();
    const request = { bodyBytesMax: 5000, indexers: byColour };
    const [one, two] = [cluster.informers.acquireBounded(ConfigMap, request), cluster.informers.acquireBounded(ConfigMap, { ...request })];
    const other = cluster.informers.acquireBounded(ConfigMap, { ...request, bodyBytesMax: 6000 });
    cluster.informers.acquire(ConfigMap);
    const running = run();
    await clock.advance(1000);
    expect(cluster.informers.state()).toHaveLength(3);
    one.informer.addHandler(() => undefined, { name: "mine" });
    one.release();
    one.release();
    expect(two.state().handlers).toEqual([]);
    expect(() => one.informer.addHandler(() => undefined)).toThrow("this lease was released");
    two.release();
    other.release();
    await clock.advance(1000);
    expect(cluster.informers.state()).toHaveLength(1);
    await end(running);
  });

  it("takes the fields of a limited kind, and refuses several namespaces, transforms and limits that are no numbers", async () => {
    const { runtime, cluster, server } = await stage();
    const place = withFields(Pod, ["spec.nodeName"]);
    expect(cluster.informers.acquireBounded(place, { bodyBytesMax: 5000 }).informer.fields).toEqual(["spec.nodeName"]);
    const acquire = (request: unknown) => () => cluster.informers.acquireBounded(ConfigMap, request as { bodyBytesMax: number });
    expect(acquire({ bodyBytesMax: 1, namespace: ["a", "b"] })).toThrow("one namespace or of all");
    expect(acquire({ bodyBytesMax: 1, transform: (object: object) => object })).toThrow("declare fields instead");
    expect(acquire({ bodyBytesMax: "64Mi" })).toThrow("bodyBytesMax: expected a number of bytes");
    const snapshots = createCluster({
      runtime,
      transport: server.handle,
      namespace: "default",
      snapshot: { store: new MemorySnapshots() },
    });
    snapshots.informers.acquireBounded(ConfigMap, { bodyBytesMax: 1 });
    expect(runtime.log.entries.map(({ message }) => message)).toContain("no snapshot of a cache with a limit of bodies");
    server.close();
  });
});
