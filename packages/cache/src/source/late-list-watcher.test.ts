import { Node, Pod } from "@drover/api/core/v1";
import { WatchSilenceError } from "@drover/client";
import { ScriptedStream, jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import type { ScriptedTransport } from "@drover/client/testing";
import { ApiError, WatchFrameError, declaredFieldsOf, encodeJson, isForbidden, newForbidden, nothing } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { listWatcher } from "./late-list-watcher.ts";
import type { ListWatcherSettings } from "./late-list-watcher.ts";

const signal = new AbortController().signal;
const list = {
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "7" },
  items: [{ metadata: { name: "web-0", namespace: "shop", managedFields: [{}] }, spec: {} }],
};
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const queryOf = (server: ScriptedTransport): object => Object.fromEntries(server.requests[0]?.query ?? []);

function pods(script: Parameters<typeof scriptedTransport>[0], settings: Partial<ListWatcherSettings> = {}) {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return { clock, server, source: listWatcher({ transport: server, clock, kind: Pod, ...settings }) };
}

describe("listWatcher", () => {
  it("lists with the options of the call and the selectors of the source", async () => {
    const { server, source } = pods([jsonResponse(list)], {
      namespace: "shop",
      labelSelector: { matchLabels: { app: "web" } },
      fieldSelector: "spec.nodeName=n1",
    });
    const page = await source.list({ limit: 500, resourceVersion: "0" }, { signal });
    expect(server.requests[0]).toMatchObject({ pathname: "/api/v1/namespaces/shop/pods", headers: { accept: "application/json" } });
    expect(queryOf(server)).toEqual({
      limit: ["500"],
      resourceVersion: ["0"],
      labelSelector: ["app=web"],
      fieldSelector: ["spec.nodeName=n1"],
    });
    expect(page.items.map(({ key }) => key)).toEqual(["shop/web-0"]);
    expect(page.items[0]?.object).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", namespace: "shop" }, spec: {} });
  });

  it("keeps managed fields if requested, and applies tweakListOptions last", async () => {
    const { server, source } = pods([jsonResponse(list)], {
      keepManagedFields: true,
      tweakListOptions: (options) => ({ ...options, limit: 3 }),
    });
    const page = await source.list({ limit: 500 }, { signal });
    expect(page.items[0]?.object.metadata.managedFields).toEqual([{}]);
    expect(queryOf(server)).toEqual({ limit: ["3"] });
  });

  it("freezes objects unless freeze is false, late and eager", async () => {
    for (const decode of ["late", "eager"] as const) {
      const frozen = async (settings: object): Promise<boolean> => {
        const { source } = pods([jsonResponse(list)], { decode, ...settings });
        const [version] = (await source.list({}, { signal })).items;
        return Object.isFrozen(version?.object.metadata);
      };
      expect([await frozen({}), await frozen({ freeze: false })]).toEqual([true, false]);
    }
  });

  it("limits objects to declared fields, late and eager, and says so", async () => {
    const item = { metadata: { name: "web-0", labels: { a: "b" } }, spec: { nodeName: "n1", hostname: "h" }, status: { phase: "Running" } };
    for (const decode of ["late", "eager"] as const) {
      const { source } = pods([jsonResponse({ ...list, items: [item] })], { decode, fields: ["status.phase", "spec.nodeName"] });
      const [version] = (await source.list({}, { signal })).items;
      expect(encodeJson(version?.object)).toBe(
        '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","labels":{"a":"b"}},"spec":{"nodeName":"n1"},"status":{"phase":"Running"}}',
      );
      expect([source.fields, declaredFieldsOf(version?.object ?? {})]).toEqual([
        ["spec.nodeName", "status.phase"],
        ["spec.nodeName", "status.phase"],
      ]);
    }
    expect([pods([]).source.fields, pods([]).source.check]).toEqual([undefined, undefined]);
  });

  it("checks declared fields without a request", async () => {
    const { source, server } = pods([], { fields: ["spec.nodename"] });
    await expect(source.check?.()).rejects.toThrow('there is no field "spec.nodename"; did you mean "spec.nodeName"?');
    await expect(pods([], { fields: ["spec.nodeName"] }).source.check?.()).resolves.toBeUndefined();
    expect(server.requests).toEqual([]);
  });

  it("refuses fields that it would not keep", () => {
    expect(() => pods([], { fields: ["spec"], projection: "metadata" })).toThrow("an informer of metadata has no other fields");
    for (const field of ["metadata.managedFields", "metadata.managedFields.manager"])
      expect(() => pods([], { fields: [field] })).toThrow("metadata.managedFields is kept only with keepManagedFields");
    expect(() => pods([], { fields: ["metadata.managedFields"], keepManagedFields: true })).not.toThrow();
  });

  it("describes what it lists", () => {
    expect(pods([]).source.description).toBe("pods in all namespaces");
    expect(pods([], { namespace: "shop" }).source.description).toBe("pods in shop");
    const nodes = listWatcher({ transport: scriptedTransport([]), clock: new ManualClock(), resource: Node, namespace: "*" });
    expect([nodes.description, nodes.supportsWatchList]).toEqual(["nodes", true]);
    expect(pods([], { watchList: false }).source.supportsWatchList).toBe(false);
  });

  it("rejects invalid namespaces and selectors", () => {
    expect(() => listWatcher({ transport: scriptedTransport([]), clock: new ManualClock(), kind: Node, namespace: "shop" })).toThrow(
      TypeError,
    );
    expect(() => pods([], { labelSelector: nothing })).toThrow(TypeError);
  });

  it("requests metadata only, and reduces full objects", async () => {
    const { server, source } = pods([jsonResponse(list)], { projection: "metadata" });
    const page = await source.list({}, { signal });
    expect(server.requests[0]?.headers["accept"]).toContain("as=PartialObjectMetadataList");
    expect(page.items[0]?.object).toEqual({
      apiVersion: "meta.k8s.io/v1",
      kind: "PartialObjectMetadata",
      metadata: { name: "web-0", namespace: "shop" },
    });
  });

  it("rejects with the error response of the server", async () => {
    const { source } = pods([statusResponse(newForbidden({ group: "", resource: "pods" }, "", "no"))]);
    const error = await failureOf(source.list({}, { signal }));
    expect(error).toBeInstanceOf(ApiError);
    expect(isForbidden(error)).toBe(true);
    expect((error as ApiError).attempt).toBe("list pods in all namespaces");
  });

  const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
  const web = (name: string): object => ({ kind: "Pod", apiVersion: "v1", metadata: { name, resourceVersion: "8" } });

  it("yields one batch per chunk", async () => {
    const stream = new ScriptedStream();
    const { server, source } = pods([stream.response]);
    stream.push(line("ADDED", web("a")) + line("MODIFIED", web("b")));
    stream.push(line("BOOKMARK", web("")));
    stream.end();
    const batches: string[][] = [];
    for await (const batch of source.watch({ resourceVersion: "7", allowWatchBookmarks: true }, { signal }))
      batches.push(batch.map(({ type }) => type));
    expect(batches).toEqual([["ADDED", "MODIFIED"], ["BOOKMARK"]]);
    expect(queryOf(server)).toEqual({ watch: ["true"], resourceVersion: ["7"], allowWatchBookmarks: ["true"] });
  });

  it("yields the events before a malformed line, then throws", async () => {
    const stream = new ScriptedStream();
    const { source } = pods([stream.response]);
    stream.push(`${line("ADDED", web("a"))}garbage\n`);
    const events = source.watch({}, { signal })[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject([{ type: "ADDED" }]);
    expect(await failureOf(events.next())).toBeInstanceOf(WatchFrameError);
    expect(stream.isDestroyed).toBe(true);
  });

  it("ends after an ERROR event", async () => {
    const stream = new ScriptedStream();
    const { source } = pods([stream.response]);
    stream.push(
      line("ERROR", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" }) +
        line("ADDED", web("a")),
    );
    const seen: unknown[] = [];
    for await (const batch of source.watch({}, { signal })) seen.push(...batch);
    expect(seen).toMatchObject([{ type: "ERROR", status: { code: 410 } }]);
    expect(stream.isDestroyed).toBe(true);
  });

  it("treats a silent connection as dead, and rejects with the reason of an abort", async () => {
    const stream = new ScriptedStream();
    const { clock, source } = pods([stream.response], { silenceMs: 1000 });
    const waiting = failureOf(source.watch({}, { signal })[Symbol.asyncIterator]().next());
    await clock.advance(1000);
    expect(await waiting).toBeInstanceOf(WatchSilenceError);
    const stop = new AbortController();
    const other = pods([new ScriptedStream().response]);
    const aborted = failureOf(other.source.watch({}, { signal: stop.signal })[Symbol.asyncIterator]().next());
    stop.abort(new Error("enough"));
    expect(await aborted).toEqual(new Error("enough"));
  });
});
