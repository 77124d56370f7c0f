import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { jsonResponse } from "@drover/client/testing";
import { edit, encodeJson, objectKey, withFields } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createInformerFactory } from "./informer-factory.ts";
import type { InformerRequest } from "./informer-factory.ts";
import { listWatcher } from "../source/late-list-watcher.ts";
import { createReadYourWrites } from "../own-writes/read-your-writes.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { keyOf } from "../testing/pod-version.ts";

describe("createInformerFactory over HTTP with declared fields", () => {
  const stage = (request: InformerRequest<ConfigMap>) => {
    const clock = new ManualClock({ quietTurns: 64 });
    const runtime = testRuntime({ clock });
    const api = new ScriptedApi({ clock, random: runtime.random });
    const factory = createInformerFactory({
      runtime,
      audit: { periodMs: 60_000 },
      sourceFor: (asked) => listWatcher({ transport: api.transport, clock, ...asked }),
    });
    const put = (text: string, key: string): unknown => {
      const object: ConfigMap = { metadata: { namespace: "shop", name: "a" }, data: { text }, binaryData: { key } };
      return api.put(object);
    };
    const stop = new AbortController();
    return { clock, runtime, api, factory, put, stop, lease: () => factory.acquire(ConfigMap, request) };
  };

  it("delivers every change, of undeclared fields too, and neither audit nor relist finds a difference", async () => {
    const { clock, runtime, api, factory, put, stop, lease } = stage({ fields: ["data"] });
    put("1", "x");
    const { informer } = lease();
    const told: string[] = [];
    informer.addHandler((change) => {
      told.push(`${change.type} ${encodeJson(change.object.data)}`);
    });
    const over = factory.run(stop.signal);
    await clock.advance(10);
    await factory.waitForSync(stop.signal);
    expect([informer.fields, Object.keys(informer.get(keyOf("shop/a")) ?? {})]).toEqual([
      ["data"],
      ["apiVersion", "kind", "metadata", "data"],
    ]);
    put("1", "y");
    await clock.advance(10);
    put("2", "y");
    await clock.advance(10);
    expect(told).toEqual(['added {"text":"1"}', 'updated {"text":"1"}', 'updated {"text":"2"}']);
    // Metadata and content.
    await clock.advance(300_000);
    expect(told).toHaveLength(3);
    expect(runtime.log.entries.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
    expect(api.calls.filter(({ options }) => options.resourceVersionMatch === "Exact").length).toBeGreaterThan(3);
    stop.abort();
    await over;
  });

  it("shows own writes as the informer would, and refuses to write its objects back", async () => {
    const { clock, runtime, api, factory, put, stop, lease } = stage({ fields: ["data"] });
    put("1", "x");
    const { informer } = lease();
    const over = factory.run(stop.signal);
    await clock.advance(10);
    await factory.waitForSync(stop.signal);
    const own = createReadYourWrites({ runtime });
    const reader = own.reader(ConfigMap, informer);
    await clock.advance(10);
    const { metadata } = api.objects.get("shop/a") ?? {};
    const written = { metadata: { ...metadata, resourceVersion: String(api.revision + 1) }, data: { text: "2" }, binaryData: { key: "y" } };
    const server: Transport = () => Promise.resolve(jsonResponse({ apiVersion: "v1", kind: "ConfigMap", ...written }));
    const client = createClient({ transport: own.transport(server), clock, log: runtime.log, namespace: "shop" });
    await client.patch(ConfigMap, "a", { type: "merge", body: { data: { text: "2" } } });
    const [cached, peeked] = [informer.get(keyOf("shop/a")), reader.peek(keyOf("shop/a"))];
    expect([cached?.data, peeked?.data, peeked?.binaryData, Object.isFrozen(peeked)]).toEqual([
      { text: "1" },
      { text: "2" },
      undefined,
      true,
    ]);
    for (const object of [cached, peeked])
      await expect(
        client.update(
          ConfigMap,
          edit(object as ConfigMap, (draft) => (draft.data = {})),
        ),
      ).rejects.toThrow('update configmaps/a in shop: the object comes from a cache with only the fields ["data"]');
    stop.abort();
    await over;
  });

  it("takes the fields of a limited kind, with a cache of its own, and refuses a second declaration", async () => {
    const { clock, factory, put, stop } = stage({});
    const Texts = withFields(ConfigMap, ["data"]);
    put("one", "AA==");
    const [limited, same, whole] = [factory.acquire(Texts), factory.acquire(ConfigMap, { fields: ["data"] }), factory.acquire(ConfigMap)];
    const metadata = factory.acquireMetadata(Texts);
    const running = factory.run(stop.signal);
    await clock.advance(1000);
    const key = objectKey("a", "shop");
    expect([limited.informer.get(key)?.data, limited.informer.origin === same.informer.origin]).toEqual([{ text: "one" }, true]);
    expect(limited.informer.get(key)).not.toHaveProperty("binaryData");
    expect(whole.informer.get(key)).toHaveProperty("binaryData");
    expect([metadata.informer.size, factory.holds(Texts), factory.holds(withFields(ConfigMap, ["immutable"]))]).toEqual([1, true, false]);
    expect(() => factory.acquire(Texts, { fields: ["data"] })).toThrow(/declare them in one place/);
    stop.abort();
    await clock.advance(10_000);
    await running;
  });

  it("ends with a TypeError if the kind has no such field", async () => {
    const { factory, stop, lease } = stage({ fields: ["dat"] });
    lease();
    await expect(factory.run(stop.signal)).rejects.toThrow('fields of ConfigMap: there is no field "dat"; did you mean "data"?');
  });
});

describe("createInformerFactory over HTTP", () => {
  it("works with listWatcher: an audit repairs lost events, and reads wait for own writes", async () => {
    const clock = new ManualClock({ quietTurns: 64 });
    const runtime = testRuntime({ clock });
    const api = new ScriptedApi({ clock, random: runtime.random });
    const factory = createInformerFactory({
      runtime,
      audit: { periodMs: 60_000 },
      sourceFor: (request) => listWatcher({ transport: api.transport, clock, ...request }),
    });
    const put = (name: string, text: string): unknown => api.put({ metadata: { namespace: "shop", name }, data: { text } });
    put("a", "1");
    const lease = factory.acquire(ConfigMap, { namespace: "shop" });
    const { informer } = lease;
    const told: string[] = [];
    informer.addHandler(({ type, key }) => {
      told.push(`${type} ${key}`);
    });
    const stop = new AbortController();
    const over = factory.run(stop.signal);
    await clock.advance(10);
    await factory.waitForSync(stop.signal);

    api.unseen(() => {
      api.remove("shop/a");
      put("b", "2");
    });
    put("c", "3");
    await clock.advance(1000);
    expect(informer.keys()).toEqual(["shop/a", "shop/c"]);
    await clock.advance(120_000);
    expect(informer.keys().toSorted()).toEqual(["shop/b", "shop/c"]);
    expect(told).toEqual(["added shop/a", "added shop/c", "deleted shop/a", "added shop/b"]);

    const own = createReadYourWrites({ runtime });
    const reader = own.reader(ConfigMap, informer);
    await clock.advance(10);
    let commit = (): unknown => undefined;
    const server: Transport = () => {
      // The server responds before it sends the watch event.
      const { metadata } = api.objects.get("shop/c") ?? {};
      commit = () => put("c", "4");
      return Promise.resolve(
        jsonResponse({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { ...metadata, resourceVersion: String(api.revision + 1) },
          data: { text: "4" },
        }),
      );
    };
    const client = createClient({ transport: own.transport(server), clock, log: runtime.log, namespace: "shop" });
    await client.update(ConfigMap, { metadata: { name: "c" }, data: { text: "4" } });
    expect([informer.get(keyOf("shop/c"))?.data, reader.peek(keyOf("shop/c"))?.data]).toEqual([{ text: "3" }, { text: "4" }]);
    const read = reader.get(keyOf("shop/c"), { signal: stop.signal });
    commit();
    await clock.advance(10);
    expect((await read)?.data).toEqual({ text: "4" });

    lease.release();
    await clock.advance(10);
    expect([factory.state(), api.watches.length]).toEqual([[], 0]);
    stop.abort();
    await over;
  });
});
