/**
 * Lasso's handlers used to run on a separate cache that did not know the program's own writes: a key that ran again before the watch
 * delivered its write saw the old state, and repeated the work.
 */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import { sleep } from "@drover/machinery";
import type { Clock, HttpBody, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newSharedControllerFactoryFromConfig } from "./shared-controller-factory.ts";

const lagMs = 2000;

/** Delays every chunk of a watch by two seconds. */
function lagging(next: Transport, clock: Clock): Transport {
  async function* late(body: HttpBody): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      await sleep(clock, lagMs);
      yield chunk;
    }
  }
  return async (request): Promise<HttpResponse> => {
    const response = await next(request);
    if (!request.path.includes("watch=true") || typeof response.body === "string" || response.body instanceof Uint8Array) return response;
    return { ...response, body: late(response.body) };
  };
}

async function stage() {
  const runtime = testRuntime();
  const server = await createApiServer({ runtime, host: nodeHost });
  // The server has a ConfigMap of its own; these tests expect theirs alone.
  const own = "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking";
  await server.handle({ method: "DELETE", path: own, headers: {} });
  const direct = createCluster({ runtime, transport: server.handle, namespace: "default" }).client;
  const cluster = createCluster({ runtime, transport: lagging(server.handle, runtime.clock), namespace: "default" });
  const factory = newSharedControllerFactoryFromConfig({ cluster });
  const stop = new AbortController();
  return { runtime, direct, factory, stop };
}

describe("a Lasso handler", () => {
  it("reads its own write: a key that runs again immediately does not create its child twice", async () => {
    const { runtime, direct, factory, stop } = await stage();
    await direct.create(ConfigMap, { metadata: { name: "web" } });
    const [maps, secrets] = [factory.forObject(ConfigMap), factory.forObject(Secret)];
    const store = secrets.informer().getStore();
    let runs = 0;
    maps.registerHandler(stop.signal, "one secret", async (key, _object, { client }) => {
      runs++;
      if (store.list().length === 0) await client.create(Secret, { metadata: { generateName: "web-" } });
      if (runs < 4) maps.enqueueKey(key);
    });
    const running = factory.run(stop.signal);
    await runtime.clock.advance(60_000);
    expect([runs, (await direct.list(Secret)).items.length]).toEqual([4, 1]);
    stop.abort();
    await runtime.clock.advance(5000);
    await running;
  });

  it("reads what it wrote to its own object through the controller's client", async () => {
    const { runtime, direct, factory, stop } = await stage();
    await direct.create(ConfigMap, { metadata: { name: "web" }, data: { count: "0" } });
    const maps = factory.forObject(ConfigMap);
    const seen: string[] = [];
    maps.registerHandler(stop.signal, "count", async (key, object) => {
      if (object === undefined) return;
      const count = object.data?.["count"] ?? "";
      seen.push(count);
      if (count === "3") return;
      await maps.client().update("default", { ...object, data: { count: String(Number(count) + 1) } });
      maps.enqueueKey(key);
    });
    const running = factory.run(stop.signal);
    await runtime.clock.advance(60_000);
    expect(seen.filter((count, place) => seen.indexOf(count) === place)).toEqual(["0", "1", "2", "3"]);
    expect(seen.filter((count) => count === "0" || count === "1" || count === "2")).toHaveLength(3);
    stop.abort();
    await runtime.clock.advance(5000);
    await running;
  });
});
