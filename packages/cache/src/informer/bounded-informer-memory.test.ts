import { ConfigMap } from "@drover/api/core/v1";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { abortable, newNotFound, objectKey, parseListOptions, parseQuery } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { listWatcher } from "../source/late-list-watcher.ts";
import { createBoundedInformer } from "./bounded-informer.ts";

const count = 100_000;
const filler = "x".repeat(700);
const nameAt = (at: number): string => `n${String(at).padStart(6, "0")}`;

/** About 1 KB of JSON, without the opening brace. */
const objectAt = (at: number): string => {
  const [uid, part] = [`00000000-0000-0000-0000-${String(at).padStart(12, "0")}`, `p${at % 100}`];
  const labels = `{"app":"web","part":"${part}"}`;
  const metadata = `{"name":"${nameAt(at)}","namespace":"shop","uid":"${uid}","resourceVersion":"${1000 + at}","labels":${labels}}`;
  return `"metadata":${metadata},"data":{"text":"${at} ${filler}"}}`;
};

const json = (body: string): HttpResponse => ({ ...jsonResponse({}), body });

/** A server that computes its objects: it keeps none. */
function computedServer(): { readonly transport: Transport; readonly requests: () => { readonly lists: number; readonly gets: number } } {
  let [lists, gets] = [0, 0];
  const transport: Transport = async ({ path: whole, signal }) => {
    await Promise.resolve();
    const [path = "", query = ""] = whole.split("?", 2);
    const name = /configmaps\/n(\d+)/.exec(path)?.[1];
    if (name !== undefined) {
      gets++;
      if (Number(name) >= count) return statusResponse(newNotFound({ group: "", resource: "configmaps" }, `n${name}`));
      return json(`{"kind":"ConfigMap","apiVersion":"v1",${objectAt(Number(name))}`);
    }
    const { watch, limit = 500, continue: token = "0" } = parseListOptions(parseQuery(query));
    if (watch === true) return silentWatch(signal);
    lists++;
    const [from, to] = [Number(token), Math.min(count, Number(token) + limit)];
    const metadata = `{"resourceVersion":"2000000"${to < count ? `,"continue":"${to}"` : ""}}`;
    const items = Array.from({ length: to - from }, (_, place) => `{${objectAt(from + place)}`).join(",");
    return json(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[${items}]}`);
  };
  return { transport, requests: () => ({ lists, gets }) };
}

function silentWatch(signal: AbortSignal | undefined): HttpResponse {
  const never = new Promise<never>(() => undefined);
  return {
    ...jsonResponse({}),
    // oxlint-disable-next-line require-yield
    body: (async function* (): AsyncGenerator<Uint8Array> {
      await abortable(never, signal ?? new AbortController().signal);
    })(),
  };
}

function usedBytes(): { readonly heap: number; readonly buffers: number } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 3; times++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

describe("a bounded informer of 100,000 objects of 1 KB", () => {
  it("holds 4 MB of bodies during and after its list, and reads each object", { timeout: 120_000 }, async () => {
    const runtime = testRuntime();
    const { clock } = runtime;
    const { transport, requests } = computedServer();
    const before = usedBytes();
    let peak = 0;
    const informer = createBoundedInformer<ConfigMap>({
      source: listWatcher({ transport: watched, clock, kind: ConfigMap, watchList: false }),
      runtime,
      bodyBytesMax: 4 * 2 ** 20,
      indexers: { part: ({ labels }) => [labels["part"] ?? ""] },
    });
    function watched(request: Parameters<Transport>[0]): ReturnType<Transport> {
      peak = Math.max(peak, informer.state().bodies.bytes);
      return transport(request);
    }
    const stop = new AbortController();
    const running = informer.run(stop.signal);
    while (!informer.hasSynced) await clock.advance(10);
    const { bodies, size } = informer.state();
    const after = usedBytes();
    expect(size).toBe(count);
    expect(peak).toBeLessThanOrEqual(4 * 2 ** 20);
    expect(bodies.bytes).toBeGreaterThan(3.9 * 2 ** 20);
    // The bodies, one slab more, and what the last page leaves.
    expect(after.buffers - before.buffers).toBeLessThan(6 * 2 ** 20);
    const perObject = (after.heap - before.heap) / count;
    console.log(
      `bounded informer: ${Math.round(perObject)} bytes of heap per object, ${((after.buffers - before.buffers) / 2 ** 20).toFixed(1)} MiB of buffers`,
    );
    expect(perObject).toBeLessThan(600);
    const { gets } = requests();
    for (let at = 0; at < count; at += 997) {
      const key = objectKey(nameAt(at), "shop");
      expect((await informer.get(key))?.data?.["text"]).toBe(`${at} ${filler}`);
      expect((await informer.get(key))?.metadata.resourceVersion).toBe(String(1000 + at));
    }
    // The last few are still there.
    expect(requests().gets - gets).toBeGreaterThan(90);
    expect(requests().gets - gets).toBeLessThanOrEqual(Math.ceil(count / 997));
    expect(informer.indexKeys("part", "p7")).toHaveLength(count / 100);
    stop.abort();
    await clock.advance(10_000);
    await running;
  });
});
