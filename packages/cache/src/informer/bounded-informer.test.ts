import { isApiError, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isStaleReadError } from "../bodies/stale-read-error.ts";
import { boundedRig, shop } from "../testing/bounded-rig.ts";
import { refused } from "../testing/scripted-api.ts";
import { createBoundedInformer } from "./bounded-informer.ts";
import { handFedSource } from "../testing/hand-fed-source.ts";
import { testRuntime } from "@drover/machinery/testing";

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${String(at).padStart(2, "0")}`);

async function all<V>(values: AsyncIterable<V>): Promise<V[]> {
  const found: V[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe("createBoundedInformer", () => {
  it("keeps keys, versions and index values of all objects and bodies up to the limit", async () => {
    const rig = boundedRig({ bodyBytesMax: 5000 });
    for (const name of names(20)) rig.write(name, { colour: name < "n05" ? "red" : "blue" });
    await rig.settled();
    const { bodies, size } = rig.informer.state();
    expect(size).toBe(20);
    expect(bodies.count).toBe(3);
    expect(bodies.bytes).toBeLessThanOrEqual(5000);
    expect(rig.informer.indexKeys("colour", "red")).toEqual(names(5).map(shop));
    expect(rig.informer.identity(shop("n00"))?.resourceVersion).toBe(rig.api.objects.get("shop/n00")?.metadata.resourceVersion);
    await rig.stop();
  });

  it("reads an evicted body from the server once, and serves it from the cache after that", async () => {
    const rig = boundedRig({ bodyBytesMax: 5000 });
    for (const name of names(20)) rig.write(name);
    await rig.settled();
    const first = await rig.readNow("n00");
    expect(first?.data).toEqual(rig.api.objects.get("shop/n00")?.data);
    expect([rig.gets, (await rig.readNow("n00")) === first, rig.gets]).toEqual([1, true, 1]);
    expect(Object.isFrozen(first)).toBe(true);
    await rig.stop();
  });

  it("shares one request among concurrent readers, and cancels it with the last of them", async () => {
    const rig = boundedRig({ bodyBytesMax: 0 });
    rig.write("web");
    await rig.settled();
    rig.delayMs = 500;
    const stops = [new AbortController(), new AbortController(), new AbortController()];
    const reads = stops.map(({ signal }) => rig.read("web", signal));
    const settled = Promise.allSettled(reads);
    await rig.clock.advance(100);
    stops[0]?.abort(new Error("left"));
    await rig.clock.advance(1000);
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(rig.gets).toBe(1);
    const alone = new AbortController();
    const read = rig.read("web", alone.signal);
    const failed = read.catch((error: unknown) => error);
    await rig.clock.advance(100);
    alone.abort(new Error("left"));
    expect(await failed).toEqual(new Error("left"));
    expect(await rig.readNow("web")).toBeDefined();
    expect(rig.gets).toBe(3);
    await rig.stop();
  });

  it("sends at most bodyReadsMax requests at once, and goes on when readers leave", async () => {
    const rig = boundedRig({ bodyBytesMax: 0, informer: { bodyReadsMax: 3 } });
    for (const name of names(10)) rig.write(name);
    await rig.settled();
    rig.delayMs = 1000;
    const leaver = new AbortController();
    const reads = names(10).map((name, at) => rig.read(name, at >= 2 && at < 6 ? leaver.signal : undefined));
    const settled = Promise.allSettled(reads);
    await rig.clock.advance(500);
    expect(rig.gets).toBe(3);
    leaver.abort(new Error("left"));
    await rig.clock.advance(10_000);
    expect((await settled).map(({ status }) => status === "fulfilled")).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(rig.gets).toBe(7);
    expect(prometheusText(rig.runtime.metrics)).toContain('informer_body_requests_open{name="configmaps in all namespaces"} 0');
    await rig.stop();
  });

  it("returns a newer answer without caching it, and the watched version once it has arrived", async () => {
    const rig = boundedRig({ bodyBytesMax: 5000 });
    for (const name of names(10)) rig.write(name);
    await rig.settled();
    // The watch is late: the server has a version that it does not send.
    rig.api.halfOpen();
    rig.write("n00");
    const [old, newest] = [rig.informer.identity(shop("n00")), rig.api.objects.get("shop/n00")];
    expect(await rig.readNow("n00")).toMatchObject({ metadata: { resourceVersion: newest?.metadata.resourceVersion } });
    expect(rig.informer.identity(shop("n00"))).toEqual(old);
    const before = rig.gets;
    await rig.readNow("n00");
    expect(rig.gets).toBe(before + 1);
    rig.write("n00");
    await rig.settled(10 * 60_000);
    expect((await rig.readNow("n00"))?.data).toEqual(rig.api.objects.get("shop/n00")?.data);
    await rig.stop();
  });

  it("answers undefined for an object that the server has deleted or replaced and the cache still lists", async () => {
    const rig = boundedRig({ bodyBytesMax: 0 });
    rig.write("gone");
    rig.write("replaced");
    await rig.settled();
    rig.api.halfOpen();
    rig.api.remove("shop/gone");
    rig.api.remove("shop/replaced");
    rig.write("replaced");
    expect([await rig.readNow("gone"), await rig.readNow("replaced")]).toEqual([undefined, undefined]);
    expect(rig.informer.size).toBe(2);
    await rig.settled(10 * 60_000);
    expect((await rig.readNow("replaced"))?.metadata.uid).toBe(rig.api.objects.get("shop/replaced")?.metadata.uid);
    expect(rig.informer.identity(shop("gone"))).toBeUndefined();
    await rig.stop();
  });

  it("asks for the newest state after an answer older than the cache, and says so if that is older too", async () => {
    const rig = boundedRig({ bodyBytesMax: 0 });
    rig.write("web");
    await rig.settled();
    const old = rig.api.objects.get("shop/web");
    rig.write("web");
    await rig.settled();
    const stale = {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", ...old }),
    };
    rig.api.fault(({ verb }) => (verb === "get" ? stale : undefined));
    expect((await rig.readNow("web"))?.data).toEqual(rig.api.objects.get("shop/web")?.data);
    expect(rig.api.calls.filter(({ verb }) => verb === "get").map(({ options }) => options.resourceVersion)).toEqual(["3", undefined]);
    rig.api.fault(({ verb }) => (verb === "get" ? stale : undefined), { times: 100 });
    const error: unknown = await rig.readNow("web").then(undefined, async (thrown: unknown) => thrown);
    expect(isStaleReadError(error)).toBe(true);
    expect(String(error)).toContain(
      "read shop/web of configmaps in all namespaces: the cache has version 3, but the last of 6 answers was at version 2",
    );
    await rig.stop();
  });

  it("passes on a failed request to its readers, and asks again for the next one", async () => {
    const rig = boundedRig({ bodyBytesMax: 0 });
    rig.write("web");
    await rig.settled();
    rig.api.fault(({ verb }) => (verb === "get" ? refused() : undefined));
    await expect(rig.readNow("web")).rejects.toThrow("refused");
    rig.api.fault(({ verb }) => (verb === "get" ? { status: 404, headers: {}, body: "page not found" } : undefined));
    const error: unknown = await rig.readNow("web").then(undefined, async (thrown: unknown) => thrown);
    expect(isApiError(error) && error.code).toBe(404);
    expect(await rig.readNow("web")).toBeDefined();
    await rig.stop();
  });

  it("does not deliver updates for unchanged objects of a relist, whether their bodies are cached or not", async () => {
    const rig = boundedRig({ bodyBytesMax: 5000 });
    for (const name of names(20)) rig.write(name);
    await rig.settled();
    const before = rig.informer.state();
    const told = rig.changes.length;
    rig.api.skip();
    rig.api.restart();
    await rig.settled();
    expect(rig.informer.state().reflector.lists).toBeGreaterThan(before.reflector.lists);
    expect(rig.changes.length).toBe(told);
    expect(rig.informer.state().bodies).toEqual(before.bodies);
    await rig.stop();
  });

  it("delivers an update of an evicted object without its old body, and of a cached one with it", async () => {
    const rig = boundedRig({ bodyBytesMax: 5000 });
    for (const name of names(20)) rig.write(name);
    await rig.settled();
    rig.write("n00");
    rig.write("n19");
    const seen: unknown[] = [];
    rig.informer.addHandler((change) => {
      if (change.type === "updated") seen.push([change.key, change.object !== undefined, change.before !== undefined]);
    });
    await rig.settled();
    expect(rig.changes.slice(-2).map((change) => change.type)).toEqual(["updated", "updated"]);
    expect(
      rig.changes.slice(-2).map((change) => change.type === "updated" && [change.object?.metadata.name, change.before?.metadata.name]),
    ).toEqual([
      ["n00", undefined],
      ["n19", "n19"],
    ]);
    await rig.stop();
  });

  it("takes other content under the same uid and version after the server was restored, also of evicted bodies", async () => {
    const rig = boundedRig({ bodyBytesMax: 3000, audit: true });
    for (const name of names(10)) rig.write(name);
    const backup = rig.api.snapshot();
    for (const name of names(10)) rig.write(name, { colour: "red" });
    await rig.settled();
    rig.api.restore(backup);
    for (const name of names(10)) rig.write(name, { colour: "blue" });
    await rig.settled(45 * 60_000);
    expect(rig.informer.indexKeys("colour", "blue")).toEqual(names(10).map(shop));
    for (const name of names(10)) expect((await rig.readNow(name))?.data).toEqual(rig.api.objects.get(`shop/${name}`)?.data);
    await rig.stop();
  });

  it("lists everything from the server in pages, and an index object by object", async () => {
    const rig = boundedRig({ bodyBytesMax: 2000 });
    for (const name of names(30)) rig.write(name, { colour: name < "n10" ? "red" : "blue" });
    await rig.settled();
    const listed = all(rig.informer.list());
    const red = all(rig.informer.byIndex("colour", "red"));
    await rig.settled(1000);
    expect((await listed).map(({ metadata }) => metadata.name)).toEqual(names(30));
    expect((await red).map(({ metadata }) => metadata.name)).toEqual(names(10));
    await rig.stop();
  });

  it("refuses limits that are no numbers, sources without single reads, transforms and snapshots", () => {
    const runtime = testRuntime();
    const source = handFedSource([], "1");
    expect(() => createBoundedInformer({ source, runtime, bodyBytesMax: 1 })).toThrow("create it with listWatcher");
    expect(() => createBoundedInformer({ source, runtime, bodyBytesMax: Number.NaN })).toThrow("bodyBytesMax: expected a number of bytes");
    expect(() => createBoundedInformer({ source, runtime, bodyBytesMax: 1, bodyReadsMax: 0 })).toThrow("bodyReadsMax");
    const withTransform = { source, runtime, bodyBytesMax: 1, transform: (object: unknown) => object } as never;
    expect(() => createBoundedInformer(withTransform)).toThrow("declare fields instead");
  });

  it("ends open reads when it stops, and still returns cached bodies", async () => {
    const rig = boundedRig({ bodyBytesMax: 2500 });
    for (const name of names(4)) rig.write(name);
    await rig.settled();
    rig.delayMs = 100_000;
    const failed = rig.read("n00").catch((error: unknown) => error);
    await rig.clock.advance(10);
    await rig.stop();
    expect(String(await failed)).toContain("stopped, so evicted bodies can no longer be read");
    await expect(rig.read("n01")).rejects.toThrow("stopped");
    expect(await rig.read("n03")).toBeDefined();
  });
});
