import { ConfigMap, Pod } from "@drover/api/core/v1";
import type { InformerRequest } from "../informer/informer-factory.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { jsonResponse } from "@drover/client/testing";
import type { HttpResponse, ObjectKey, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";

interface Stage {
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly cluster: Cluster;
  readonly remove: () => void;
  /** Writes through the cluster's client; the watch does not deliver the event. */
  readonly write: (namespace: string, name: string, labels?: Readonly<Record<string, string>>) => Promise<void>;
  readonly isCaughtUp: (key: string) => boolean;
}

const written = (key: string): { readonly group: string; readonly resource: string; readonly key: ObjectKey } => ({
  group: "",
  resource: "configmaps",
  key: key as ObjectKey,
});

/** A cluster whose cache of config maps does not observe writes. */
async function stage(request: InformerRequest<ConfigMap> = {}): Promise<Stage> {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ clock });
  const api = new ScriptedApi({ clock, random: runtime.random });
  const transport: Transport = (asked) => {
    if (asked.method === "GET") return api.transport(asked);
    return Promise.resolve(asked.method === "DELETE" ? ended(asked.path) : confirmed(asked.body as string));
  };
  const confirmed = (body: string): HttpResponse => {
    const { metadata } = JSON.parse(body) as ConfigMap;
    api.put({ metadata });
    return jsonResponse(api.objects.get(`${metadata.namespace}/${metadata.name}`), { status: 201 });
  };
  const ended = (path: string): HttpResponse => {
    const key = `shop/${path.split("/").at(-1)}`;
    const uid = api.objects.get(key)?.metadata.uid;
    api.remove(key);
    return jsonResponse({ kind: "Status", status: "Success", details: { uid } });
  };
  const cluster = createCluster({ runtime, transport, namespace: "shop", informers: { audit: false } });
  api.put({ metadata: { namespace: "shop", name: "old", labels: { app: "web" } } });
  const lease = cluster.informers.acquire(ConfigMap, request);
  void cluster.run(new AbortController().signal);
  await clock.advance(100);
  const remove = cluster.watchedKinds.add(ConfigMap, lease.informer, request);
  await clock.advance(100);
  api.lagBy(1000);
  return {
    clock,
    api,
    cluster,
    remove,
    write: async (namespace, name, labels) => {
      await cluster.client.create(ConfigMap, { metadata: { namespace, name, ...(labels === undefined ? {} : { labels }) } }, { namespace });
    },
    isCaughtUp: (key) => cluster.watchedKinds.isCaughtUp(written(key)),
  };
}

describe("createWatchedKinds", () => {
  it("is behind from the confirmed write until the watch delivers it", async () => {
    const { clock, api, cluster, write, isCaughtUp } = await stage();
    expect(cluster.watchedKinds.has(written("shop/web"))).toBe(true);
    await write("shop", "web");
    let seen = false;
    void cluster.watchedKinds.caughtUp(written("shop/web"), { signal: new AbortController().signal }).then(() => {
      seen = true;
    });
    await clock.advance(1000);
    expect([isCaughtUp("shop/web"), isCaughtUp("shop/other"), seen]).toEqual([false, true, false]);
    api.lagBy(0);
    await clock.advance(10);
    expect([isCaughtUp("shop/web"), seen]).toEqual([true, true]);
  });

  it("does not wait for resources that are not or no longer watched", async () => {
    const { clock, cluster, write, isCaughtUp, remove } = await stage();
    expect(cluster.watchedKinds.has({ group: Pod.group, resource: Pod.plural })).toBe(false);
    await write("shop", "web");
    expect(isCaughtUp("shop/web")).toBe(false);
    let seen = false;
    void cluster.watchedKinds.caughtUp(written("shop/web"), { signal: new AbortController().signal }).then(() => {
      seen = true;
    });
    remove();
    await clock.settle();
    expect([isCaughtUp("shop/web"), cluster.watchedKinds.has(written("shop/web")), seen]).toEqual([true, false, true]);
  });

  it("waits while one source of the same informer is left", async () => {
    const { cluster, write, isCaughtUp, remove } = await stage();
    const other = cluster.informers.acquire(ConfigMap);
    const removeOther = cluster.watchedKinds.add(ConfigMap, other.informer);
    await write("shop", "web");
    remove();
    expect(isCaughtUp("shop/web")).toBe(false);
    removeOther();
    expect(isCaughtUp("shop/web")).toBe(true);
  });

  it("is behind only in watched namespaces", async () => {
    const { write, isCaughtUp } = await stage({ namespace: ["shop", "home"] });
    await write("shop", "web");
    await write("else", "web");
    expect([isCaughtUp("shop/web"), isCaughtUp("else/web")]).toEqual([false, true]);
  });

  it("is behind only for selected labels; without labels in the response, for objects selected before", async () => {
    const { cluster, write, isCaughtUp } = await stage({ labelSelector: "app=web" });
    await write("shop", "web", { app: "web" });
    await write("shop", "db", { app: "db" });
    for (const name of ["old", "db"]) await cluster.client.delete(ConfigMap, name);
    expect(["shop/web", "shop/db", "shop/old"].map(isCaughtUp)).toEqual([false, true, false]);
  });

  it("does not wait for informers with field selectors or tweaked lists", async () => {
    for (const request of [{ fieldSelector: "metadata.name=web" }, { tweakListOptions: (options: object) => options }]) {
      const { cluster, write, isCaughtUp } = await stage(request);
      await write("shop", "web");
      expect([isCaughtUp("shop/web"), cluster.watchedKinds.has(written("shop/web"))]).toEqual([true, false]);
    }
  });
});
