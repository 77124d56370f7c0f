import { definedOnly, isExpired, newResourceExpired, withDeclaredFields } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import type { DynamicClient } from "./dynamic-client.ts";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";

const webApps = { group: "demo.drover.dev", version: "v1", resource: "webapps", kind: "WebApp", scope: "Namespaced" } as const;
const type = { apiVersion: "demo.drover.dev/v1", kind: "WebApp" };
const root = "/apis/demo.drover.dev/v1/namespaces/shop/webapps";

const set = (
  script: Script,
  scope: "Namespaced" | "Cluster" = "Namespaced",
): { readonly client: DynamicClient; readonly server: ScriptedTransport } => {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return {
    client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop", fieldManager: "me" }).dynamic({
      ...webApps,
      scope,
    }),
    server,
  };
};
const pageOf = (names: readonly string[], token?: string): HttpResponse =>
  jsonResponse({
    ...type,
    kind: "WebAppList",
    metadata: { resourceVersion: "7", ...definedOnly({ continue: token }) },
    items: names.map((name) => ({ metadata: { name, uid: name } })),
  });

describe("verbs of the dynamic client", () => {
  it("send no object of a cache with declared fields, from which the write would remove the others", async () => {
    const { client, server } = set(() => jsonResponse({}));
    const object = withDeclaredFields({ metadata: { name: "shop" }, spec: { a: 1 } }, ["spec.a"]);
    const problem = 'the object comes from a cache with only the fields ["spec.a"]';
    await expect(client.update(object)).rejects.toThrow(`update webapps/shop in shop: ${problem}`);
    await expect(client.apply({ ...object, spec: { a: 2 } })).rejects.toThrow(`apply webapps/shop in shop: ${problem}`);
    expect(server.requests).toEqual([]);
    await client.update({ ...object, status: { ready: true } }, { subresource: "status" });
    expect(server.requests).toHaveLength(1);
  });

  it.for<readonly [string, (client: DynamicClient) => unknown, string, unknown?]>([
    ["get", (c) => c.get("shop", { subresource: "status", resourceVersion: "0" }), `GET ${root}/shop/status?resourceVersion=0`],
    [
      "create",
      (c) => c.create({ metadata: { name: "shop" }, spec: { a: 1n << 60n } }),
      `POST ${root}?fieldManager=me`,
      `{"metadata":{"name":"shop"},"spec":{"a":1152921504606846976},"apiVersion":"demo.drover.dev/v1","kind":"WebApp"}`,
    ],
    [
      "create of a subresource",
      (c) => c.create({ kind: "Eviction", metadata: { name: "shop" } }, { subresource: "eviction" }),
      `POST ${root}/shop/eviction?fieldManager=me`,
      `{"kind":"Eviction","metadata":{"name":"shop"}}`,
    ],
    [
      "create of a subresource by name",
      (c) => c.create({ kind: "X", metadata: {} }, { subresource: "a/b", name: "shop" }),
      `POST ${root}/shop/a/b?fieldManager=me`,
      `{"kind":"X","metadata":{}}`,
    ],
    [
      "update of a subresource",
      (c) => c.update({ kind: "Scale", metadata: { name: "shop" } }, { subresource: "scale" }),
      `PUT ${root}/shop/scale?fieldManager=me`,
      `{"kind":"Scale","metadata":{"name":"shop"}}`,
    ],
    [
      "patch of a subresource",
      (c) => c.patch("shop", { type: "merge", body: { a: null } }, { subresource: "status" }),
      `PATCH ${root}/shop/status?fieldManager=me`,
      `{"a":null}`,
    ],
    [
      "apply of a subresource",
      (c) => c.apply({ metadata: { name: "shop" } }, { subresource: "status", force: true }),
      `PATCH ${root}/shop/status?fieldManager=me&force=true`,
      `{"metadata":{"name":"shop"}}`,
    ],
    ["delete of a subresource", (c) => c.delete("shop", { subresource: "x" }), `DELETE ${root}/shop/x`, ""],
  ])("%s", async ([, call, expected, body = ""]) => {
    const { client, server } = set(() => jsonResponse({ metadata: {} }));
    await call(client);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([expected]);
    expect(server.requests[0]?.body).toBe(body);
  });

  it("work without namespaces", async () => {
    const { client, server } = set(() => jsonResponse({ metadata: {} }), "Cluster");
    await client.get("shop");
    await client.list();
    expect(server.requests.map(({ path }) => path)).toEqual(["/apis/demo.drover.dev/v1/webapps/shop", "/apis/demo.drover.dev/v1/webapps"]);
    await expect(client.get("shop", { namespace: "a" })).rejects.toThrow("not namespaced");
  });

  it("add missing apiVersion and kind, and return a Status unchanged", async () => {
    const { client } = set([
      jsonResponse({ metadata: { name: "shop" } }),
      jsonResponse({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" }),
      jsonResponse({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" }),
      pageOf(["a"]),
    ]);
    expect(await client.get("shop")).toEqual({ ...type, metadata: { name: "shop" } });
    expect(await client.delete("shop")).toMatchObject({ kind: "Status", status: "Success" });
    expect(await client.deleteCollection()).toMatchObject({ kind: "Status" });
    expect(await client.deleteCollection()).toMatchObject({ items: [{ ...type, metadata: { name: "a" } }] });
  });
});

describe("listAll of the dynamic client", () => {
  const names = async (client: DynamicClient, options = {}): Promise<(string | undefined)[]> => {
    const all: (string | undefined)[] = [];
    for await (const { metadata, kind } of client.listAll(options)) all.push(`${kind} ${metadata.name}`);
    return all;
  };

  it("follows the pages, 500 items each by default", async () => {
    const { client, server } = set([pageOf(["a", "b"], "t1"), pageOf(["c"])]);
    expect(await names(client, { labelSelector: "x=y" })).toEqual(["WebApp a", "WebApp b", "WebApp c"]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      `${root}?labelSelector=x%3Dy&limit=500`,
      `${root}?continue=t1&labelSelector=x%3Dy&limit=500`,
    ]);
  });

  it("restarts when a page has expired, and yields nothing twice", async () => {
    const { client, server } = set([pageOf(["a", "b"], "t1"), statusResponse(newResourceExpired("too old")), pageOf(["a", "b", "c"])]);
    expect(await names(client, { pageSize: 2 })).toEqual(["WebApp a", "WebApp b", "WebApp c"]);
    expect(server.requests[2]?.path).toBe(root);
  });

  it("fails if the first page fails, with the attempt", async () => {
    const { client } = set([statusResponse(newResourceExpired("too old"))]);
    const error: unknown = await names(client).catch((reason: unknown) => reason);
    expect(isExpired(error)).toBe(true);
    expect(error).toMatchObject({ attempt: "list webapps in shop" });
  });

  it("stops with its signal", async () => {
    const controller = new AbortController();
    const { client, server } = set([pageOf(["a"], "t1")]);
    const items = client.listAll({ signal: controller.signal });
    await items.next();
    controller.abort(new Error("enough"));
    await expect(items.next()).rejects.toThrow("enough");
    expect(server.requests).toHaveLength(1);
  });
});

describe("watch of the dynamic client", () => {
  it("yields events unchanged, with the kind of their objects (§3.33)", async () => {
    const stream = new ScriptedStream();
    const { client, server } = set([stream.response]);
    stream.event("ADDED", { metadata: { name: "a" } });
    stream.event("BOOKMARK", { ...type, metadata: { resourceVersion: "9" } });
    stream.event("ERROR", { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", reason: "Expired", code: 410 });
    const events: unknown[] = [];
    for await (const event of client.watch({ resourceVersion: "7" })) events.push(event);
    expect(events).toMatchObject([
      { type: "ADDED", object: { ...type, metadata: { name: "a" } } },
      { type: "BOOKMARK", object: { metadata: { resourceVersion: "9" } } },
      { type: "ERROR", object: { code: 410 } },
    ]);
    expect(server.requests[0]?.path).toBe(`${root}?allowWatchBookmarks=true&resourceVersion=7&watch=true`);
  });

  it("closes the connection when its loop is left, and when it is closed from outside", async () => {
    const streams = [new ScriptedStream(), new ScriptedStream()];
    const { client } = set(streams.map(({ response }) => response));
    streams[0]?.event("ADDED", { metadata: {} });
    for await (const _ of client.watch()) break;
    expect(streams[0]?.isDestroyed).toBe(true);
    const events = client.watch();
    const waiting = events.next();
    await Promise.resolve();
    await events.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("throws an ApiError with the attempt if it is refused", async () => {
    const { client } = set([statusResponse(newResourceExpired("too old"))]);
    await expect(client.watch({ namespace: "*" }).next()).rejects.toMatchObject({ attempt: "watch webapps in all namespaces", code: 410 });
  });
});
