import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { jsonResponse } from "@drover/client/testing";
import type { Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createInformerFactory } from "./informer-factory.ts";
import { listWatcher } from "../source/late-list-watcher.ts";
import { createReadYourWrites } from "../own-writes/read-your-writes.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { keyOf } from "../testing/pod-version.ts";

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
