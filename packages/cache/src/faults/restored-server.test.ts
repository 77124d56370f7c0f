/**
 * The server is restored from a backup: it counts the same resource versions again, so an object may have the uid and version that a cache
 * knows, but other content. Caches used to keep the old content for ever.
 */
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { Transport } from "@drover/machinery";
import { objectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "../cluster/cluster.ts";

const key = objectKey("web", "default");

async function stage() {
  const runtime = testRuntime();
  const { clock } = runtime;
  const server = await createApiServer({ runtime, host: nodeHost });
  let isCut = false;
  const transport: Transport = (request) => (isCut ? Promise.reject(new Error("connection refused")) : server.handle(request));
  const direct = createCluster({ runtime, transport: server.handle, namespace: "default" }).client;
  const cluster = createCluster({ runtime, transport, namespace: "default" });
  const { informer: view } = cluster.informers.acquire(ConfigMap, { namespace: "default" });
  const changes: string[] = [];
  view.addHandler((change) => {
    if (change.key === key) changes.push(`${change.type} ${change.object.data?.["colour"] ?? ""}`);
  });
  const stop = new AbortController();
  const running = cluster.run(stop.signal);
  const write = async (colour: string): Promise<string> => {
    const { metadata } = await direct.apply(
      ConfigMap,
      { metadata: { name: "web" }, data: { colour } },
      { fieldManager: "test", force: true },
    );
    return metadata.resourceVersion ?? "";
  };
  const churn = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++)
      await direct.apply(ConfigMap, { metadata: { name: "other" }, data: { at: String(at) } }, { fieldManager: "test", force: true });
  };
  return {
    clock,
    server,
    changes,
    write,
    churn,
    cut: (cut: boolean) => void (isCut = cut),
    colour: () => view.get(key)?.data?.["colour"],
    end: async () => {
      stop.abort();
      await clock.advance(60_000);
      await running;
      server.close();
    },
  };
}

describe("an informer of a server restored from a backup", () => {
  it("takes other content under the same uid and resource version (SEC2)", async () => {
    const { clock, server, changes, write, churn, colour, end } = await stage();
    await write("white");
    const backup = server.snapshot();
    const lost = await write("red");
    await churn(20);
    await clock.advance(1000);
    expect(colour()).toBe("red");
    await server.restore(backup);
    expect(await write("blue")).toBe(lost);
    await clock.advance(45 * 60_000);
    expect([colour(), changes.at(-1)]).toEqual(["blue", "updated blue"]);
    await end();
  });

  it("takes it also if the server has passed the known version by the time it is reachable again (SEC2)", async () => {
    const { clock, server, changes, write, churn, cut, colour, end } = await stage();
    await write("white");
    const backup = server.snapshot();
    const lost = await write("red");
    await clock.advance(1000);
    cut(true);
    await server.restore(backup);
    expect(await write("blue")).toBe(lost);
    await churn(20);
    cut(false);
    await clock.advance(45 * 60_000);
    expect([colour(), changes.at(-1)]).toEqual(["blue", "updated blue"]);
    await end();
  });
});
