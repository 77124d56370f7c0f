/**
 * One etcd with a real kube-apiserver and our server: each reads what the other wrote, and stored values have the same bytes.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost, openEtcd } from "@drover/apiserver/node";
import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { etcdObjectValues } from "../../packages/apiserver/src/data/etcd-object-values.ts";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { endOfPrefix } from "../../packages/apiserver/src/storage/etcd/etcd-messages.ts";
import type { EtcdValue } from "../../packages/apiserver/src/storage/etcd/etcd-messages.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { realServerMissing, serverAt, startServerPrograms } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { fullObjects } from "./full-objects.ts";
import { bodyOf, kindOf, pathOf } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";

type Send = (method: string, path: string, body?: JsonObject) => Promise<{ readonly status: number; readonly body: string }>;

const runtime = nodeRuntime({ write: () => undefined });
const definition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.interchange.example.com" },
  spec: {
    group: "interchange.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      },
    ],
  },
};
const widgets = "/apis/interchange.example.com/v1/namespaces/default/widgets";
const widget = (name: string): JsonObject => ({
  apiVersion: "interchange.example.com/v1",
  kind: "Widget",
  metadata: { name, labels: { a: "b", resourceVersion: "x" } },
  spec: { z: [1, 2.5, null, { "<b>": "ä\u2028" }], a: { large: 12345678901234567890n, f: 1e21 } },
});

/** To these, both servers add defaults when they read them, so a value that is read and written again has more. */
const defaultedOnRead = /^\/registry\/(?:horizontalpodautoscalers|jobs|persistentvolumeclaims)\//;

const cases: readonly (readonly [kind: string, object: JsonObject])[] = [
  ...Object.entries(minimalObjects).map(([kind, object]) => [kind, object] as const),
  ...fullObjects.map(({ kind, object }) => [kind, object] as const),
];

describe.skipIf(realServerMissing !== undefined)(`one etcd with a real API server and ours (${realServerMissing ?? "found"})`, () => {
  let programs: Awaited<ReturnType<typeof startServerPrograms>>;
  let client: EtcdClient;
  let ours: ApiServer;
  let [toReal, toOurs]: [Send, Send] = [undefined as never, undefined as never];
  /** Paths of what the real server stored before ours was opened. */
  const byReal: string[] = [];

  beforeAll(async () => {
    programs = await startServerPrograms({ authorization: "AlwaysAllow" });
    const real: RealServer = serverAt(programs.address, programs);
    toReal = (method, path, body) =>
      real.send({
        method,
        path,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: encodeJson(body) }),
      });
    client = new EtcdClient({ clock: runtime.clock, transports: connectEtcd([programs.address.etcdUrl], runtime) });
    byReal.push(...(await createAll(toReal, "real")));
    await create(toReal, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    await vi.waitFor(async () => expect((await toReal("GET", widgets)).status).toBe(200), { timeout: 30_000, interval: 100 });
    byReal.push(await create(toReal, widgets, widget("by-real")));
    const store = await openEtcd({ servers: [programs.address.etcdUrl] }, runtime);
    ours = await createApiServer({ runtime, host: nodeHost, store, authorizationModes: ["AlwaysAllow"] });
    toOurs = async (method, path, body) => {
      const { status, body: answer } = await ours.handle({
        method,
        path,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: encodeJson(body) }),
      });
      return { status, body: typeof answer === "string" ? answer : "" };
    };
  }, 180_000);
  afterAll(async () => {
    ours?.close();
    client?.close();
    await programs?.stop();
  }, 60_000);

  it("reads and serves what the real server wrote, word for word", { timeout: 120_000 }, async () => {
    expect(byReal.length).toBeGreaterThan(90);
    for (const path of byReal) {
      const [wanted, served] = [await toReal("GET", path), await toOurs("GET", path)];
      expect(decodeJson(served.body), path).toEqual(decodeJson(wanted.body));
    }
  });

  it("writes what the real server reads and serves, word for word", { timeout: 120_000 }, async () => {
    const paths = [...(await createAll(toOurs, "ours")), await create(toOurs, widgets, widget("by-ours"))];
    expect(paths.length).toBeGreaterThan(80);
    for (const path of paths) {
      const wanted = await toOurs("GET", path);
      await expect.poll(async () => (await toReal("GET", path)).status, { timeout: 10_000 }).toBe(200);
      expect(decodeJson((await toReal("GET", path)).body), path).toEqual(decodeJson(wanted.body));
    }
  });

  it("stores every object in the bytes in which the real server stores it", { timeout: 60_000 }, async () => {
    const { decode, encode } = etcdObjectValues(runtime.clock);
    const different: string[] = [];
    let count = 0;
    for (const { key, value } of await allValues(client)) {
      const text = decode(key, value);
      if (text === undefined) continue;
      count++;
      const kind = key.startsWith("/registry/interchange.example.com/") ? "Widget" : undefined;
      if (Buffer.compare(encode(key, text, kind), value) !== 0 && !defaultedOnRead.test(key)) different.push(key);
      expect(decode(key, encode(key, text, kind))).toBe(text);
    }
    expect(different).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  it("sees writes of the real server in reads and watches, and the other way round", { timeout: 60_000 }, async () => {
    const path = "/api/v1/namespaces/default/configmaps";
    const map = (name: string, data: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
    for (let n = 0; n < 10; n++) {
      const [[one, other], name] = [n % 2 === 0 ? [toReal, toOurs] : [toOurs, toReal], `shared-${n}`];
      await create(one, path, map(name, { n: "1" }));
      const { body } = await other("GET", `${path}/${name}`);
      expect(body).toBe((await one("GET", `${path}/${name}`)).body);
      const updated = await other("PUT", `${path}/${name}`, map(name, { n: "2" }));
      expect(updated.status).toBe(200);
      expect((await one("GET", `${path}/${name}`)).body).toBe(updated.body);
      const stale = { ...map(name, { n: "3" }), metadata: { name, resourceVersion: "1" } };
      expect([(await one("PUT", `${path}/${name}`, stale)).status, (await other("PUT", `${path}/${name}`, stale)).status]).toEqual([
        409, 409,
      ]);
      expect((await other("DELETE", `${path}/${name}`)).status).toBe(200);
      expect((await one("GET", `${path}/${name}`)).status).toBe(404);
    }
  });
});

/** Creates an object and returns its path. */
async function create(send: Send, path: string, body: JsonObject): Promise<string> {
  const { status, body: answer } = await send("POST", path, body);
  expect([status, answer], `${path}: ${answer}`).toEqual([201, answer]);
  return `${path}/${nameIn(answer)}`;
}

/** The name of the object in an answer. */
function nameIn(answer: string): string {
  const { metadata } = decodeJson(answer) as { readonly metadata: { readonly name: string } };
  return metadata.name;
}

/** Creates an object of every kind that has no fixed name, with names of its own. Returns the paths of those that were accepted. */
async function createAll(send: Send, name: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [index, [kindName, object]] of cases.entries()) {
    const kind = kindOf(kindName);
    const { status, body } = await send("POST", pathOf(kind), bodyOf(kind, object, `${name}-${index}`));
    if (status !== 201) continue;
    paths.push(`${pathOf(kind)}/${nameIn(body)}`);
  }
  return paths;
}

async function allValues(client: EtcdClient): Promise<readonly EtcdValue[]> {
  return (await client.range({ key: "/registry/", end: endOfPrefix("/registry/") })).values;
}
