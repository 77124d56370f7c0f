import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { ScriptedStream, jsonResponse, scriptedTransport } from "@drover/client/testing";
import type { Script, ScriptedTransport } from "@drover/client/testing";
import type { KubeObject, ListOptions, WatchEvent } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { listWatchFromClient, versionsFrom } from "./list-watcher.ts";
import type { ListWatchOptions, ListerWatcher } from "./list-watcher.ts";
import type { LazyWatchEvent } from "./version-source.ts";

const call = { signal: new AbortController().signal };

function clientOn(script: Script) {
  const { clock, log } = testRuntime();
  const server = scriptedTransport(script);
  return { server, client: createClient({ transport: server, clock, log, namespace: "shop" }) };
}

const paths = (server: ScriptedTransport): string[] => server.requests.map(({ path }) => path);

describe("listWatchFromClient", () => {
  const list = jsonResponse({ kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "5" }, items: [] });
  const listed = async (options: ListWatchOptions, given: ListOptions = {}): Promise<string[]> => {
    const { server, client } = clientOn([list]);
    await listWatchFromClient(client, ConfigMap, options).list(given, call);
    return paths(server);
  };

  it("lists a namespace, all namespaces, or the client's namespace", async () => {
    expect(await listed({ namespace: "other" })).toEqual(["/api/v1/namespaces/other/configmaps"]);
    expect(await listed({ namespace: "*" })).toEqual(["/api/v1/configmaps"]);
    expect(await listed({})).toEqual(["/api/v1/namespaces/shop/configmaps"]);
  });

  it("adds selectors, and applies tweakListOptions last", async () => {
    expect(await listed({ fieldSelector: "metadata.name=a", labelSelector: "x=y" }, { limit: 3 })).toEqual([
      "/api/v1/namespaces/shop/configmaps?fieldSelector=metadata.name%3Da&labelSelector=x%3Dy&limit=3",
    ]);
    expect(await listed({ labelSelector: "x=y", tweakListOptions: (options) => ({ ...options, labelSelector: "z" }) })).toEqual([
      "/api/v1/namespaces/shop/configmaps?labelSelector=z",
    ]);
  });

  it("rejects options that the client does not support", async () => {
    await expect(listed({ tweakListOptions: (options) => ({ ...options, shardSelector: "x" }) })).rejects.toThrow("shardSelector");
  });

  it("watches with the same options", async () => {
    const stream = new ScriptedStream();
    const { server, client } = clientOn([stream.response]);
    stream.end();
    const watch = listWatchFromClient(client, ConfigMap, { fieldSelector: "metadata.name=a" }).watch(
      { resourceVersion: "7", allowWatchBookmarks: true, timeoutSeconds: 300, watch: true },
      call,
    );
    for await (const _ of watch) throw new Error("nothing comes");
    expect(paths(server)).toEqual([
      "/api/v1/namespaces/shop/configmaps?allowWatchBookmarks=true&fieldSelector=metadata.name%3Da&resourceVersion=7&timeoutSeconds=300&watch=true",
    ]);
  });

  it("describes what it lists, and supports watch-list", () => {
    const { client } = clientOn([]);
    expect(versionsFrom(listWatchFromClient(client, ConfigMap)).description).toBe("configmaps in shop");
    expect(versionsFrom(listWatchFromClient(client, ConfigMap, { namespace: "*" })).description).toBe("configmaps in all namespaces");
    expect(versionsFrom(listWatchFromClient(client, Namespace))).toMatchObject({ description: "namespaces", supportsWatchList: true });
  });
});

describe("versionsFrom", () => {
  const object = (name: string, resourceVersion = "1"): KubeObject => ({
    metadata: { name, namespace: "shop", resourceVersion, uid: `uid of ${name}` },
  });
  const byHand = (events: readonly WatchEvent[], items: readonly KubeObject[] = []): ListerWatcher => ({
    list: async () => ({ kind: "List", apiVersion: "v1", metadata: { resourceVersion: "9", continue: "" }, items: [...items] }),
    async *watch() {
      yield* events;
    },
  });

  it("creates versions of listed objects, and reports objects without a name as poison", async () => {
    const page = await versionsFrom(byHand([], [object("a"), object(""), object("b")])).list({}, call);
    expect(page).toMatchObject({
      resourceVersion: "9",
      continue: undefined,
      items: [{ key: "shop/a", uid: "uid of a", isParsed: true }, { key: "shop/b" }],
    });
    expect(page.poison).toHaveLength(1);
  });

  it("yields one batch per event", async () => {
    const end: WatchEvent = {
      type: "BOOKMARK",
      object: { metadata: { resourceVersion: "8", annotations: { "k8s.io/initial-events-end": "true" } } },
    };
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, code: 410 } as const;
    const batches: (readonly LazyWatchEvent<KubeObject>[])[] = [];
    for await (const batch of versionsFrom(
      byHand([{ type: "ADDED", object: object("a") }, { type: "DELETED", object: object("") }, end, { type: "ERROR", object: status }]),
    ).watch({}, call))
      batches.push(batch);
    expect(batches).toMatchObject([
      [{ type: "ADDED", version: { key: "shop/a" } }],
      [{ type: "POISON" }],
      [{ type: "BOOKMARK", resourceVersion: "8", endsInitialEvents: true }],
      [{ type: "ERROR", status }],
    ]);
  });

  it("does not use watch-list unless supportsWatchList is true", () => {
    expect(versionsFrom(byHand([]))).toMatchObject({ supportsWatchList: false, description: "objects" });
    expect(versionsFrom({ ...byHand([]), supportsWatchList: true, description: "toys" })).toMatchObject({
      supportsWatchList: true,
      description: "toys",
    });
  });
});
