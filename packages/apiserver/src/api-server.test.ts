/**
 * The whole server through `handle`. conformance/differential compares its responses with the real one's; these suites cover
 * timing and our own guarantees.
 */
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "./testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const merge = { "content-type": "application/merge-patch+json" };
const meta = (object: JsonObject): JsonObject => object["metadata"] as JsonObject;
const widgets = {
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

describe("createApiServer", () => {
  it("yields identical objects for the same seed, including uids", async () => {
    const [first, second] = [await testServer(), await testServer()];
    expect((await first.call("GET", "/api/v1/namespaces")).text).toBe((await second.call("GET", "/api/v1/namespaces")).text);
  });
  it("creates the namespaces and the kubernetes Service that every cluster has", async () => {
    const { call } = await testServer();
    const names = async (path: string): Promise<unknown[]> =>
      ((await call("GET", path)).object["items"] as JsonObject[]).map((item) => meta(item)["name"]);
    expect(await names("/api/v1/namespaces")).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    expect(await names("/api/v1/services")).toEqual(["kubernetes"]);
    expect(await names("/apis/scheduling.k8s.io/v1/priorityclasses")).toEqual(["system-cluster-critical", "system-node-critical"]);
  });
  it("has addresses for more services than the default of kube-apiserver (SEC22)", async () => {
    const { call, close } = await testServer();
    const addresses = new Set<unknown>();
    for (let n = 0; n < 300; n++) {
      const { status, object } = await call("POST", "/api/v1/namespaces/default/services", {
        metadata: { name: `s${n}` },
        spec: { ports: [{ port: 80 }] },
      });
      expect(status).toBe(201);
      addresses.add((object["spec"] as { clusterIP: string }).clusterIP);
    }
    expect(addresses.size).toBe(300);
    const kubernetes = await call("GET", "/api/v1/namespaces/default/services/kubernetes");
    expect(kubernetes.object["spec"]).toMatchObject({ clusterIP: "10.0.0.1" });
    close();
  });

  it("runs on a store that another server filled, and allocates no Service address twice", async () => {
    const first = await testServer({ serviceCidr: "10.0.0.0/29" });
    const service = (name: string): JsonObject => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
    const addressOf = ({ object }: { readonly object: JsonObject }): unknown => (object["spec"] as JsonObject)["clusterIP"];
    const given = [addressOf(await first.call("POST", "/api/v1/namespaces/default/services", service("a")))];
    const second = await testServer({ serviceCidr: "10.0.0.0/29", store: first.store });
    for (const name of ["b", "c"]) given.push(addressOf(await second.call("POST", "/api/v1/namespaces/default/services", service(name))));
    expect(new Set([...given, "10.0.0.1"]).size).toBe(4);
  });
  it("restores a snapshot, including Service allocations and custom resources", async () => {
    const { call, snapshot, restore } = await testServer({ serviceCidr: "10.0.0.0/29" });
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const service = { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.5", ports: [{ port: 80 }] } };
    const empty = snapshot();
    await call("POST", crds, widgets);
    await call("POST", "/api/v1/namespaces/default/services", service);
    const full = snapshot();
    await restore(empty);
    expect((await call("GET", "/apis/example.com/v1/widgets")).status).toBe(404);
    expect((await call("POST", "/api/v1/namespaces/default/services", service)).status).toBe(201);
    await restore(full);
    expect((await call("GET", "/apis/example.com/v1/widgets")).status).toBe(200);
    expect((await call("POST", "/api/v1/namespaces/default/services", { ...service, metadata: { name: "b" } })).status).toBe(422);
  });
  it("answers an internal failure with a 500 and keeps serving", async () => {
    const { call } = await testServer({
      admission: [
        {
          name: "Broken",
          validate: ({ name }) => {
            if (name === "bad") throw new TypeError("a plug-in fell over");
          },
        },
      ],
    });
    expect(await call("POST", maps, { metadata: { name: "bad" } })).toMatchObject({
      status: 500,
      object: { reason: "InternalError", message: "Internal error occurred: a plug-in fell over" },
    });
    expect(await call("POST", maps, { metadata: { name: "good" } })).toMatchObject({ status: 201 });
  });
  it("calls admission plug-ins for every write and stores their changes", async () => {
    const seen: string[] = [];
    const { call } = await testServer({
      admission: [
        {
          name: "Labels",
          mutate: ({ operation, object, resource, namespace }) => {
            if (resource.kind.kind !== "ConfigMap" || namespace !== "default") return;
            seen.push(operation);
            if (object !== undefined) meta(object)["labels"] = { seen: "yes" };
          },
        },
      ],
    });
    expect(meta((await call("POST", maps, { metadata: { name: "a" } })).object)["labels"]).toEqual({ seen: "yes" });
    await call("PATCH", `${maps}/a`, { data: { k: "v" } }, merge);
    await call("DELETE", `${maps}/a`);
    expect(seen).toEqual(["CREATE", "UPDATE", "DELETE"]);
  });
});

describe("timeouts of the API server", () => {
  it("fail a read of a future resourceVersion with a 504 after three seconds", async () => {
    const { call, clock } = await testServer();
    const reading = call("GET", `${maps}?resourceVersion=9999&resourceVersionMatch=NotOlderThan`);
    await clock.advance(2999);
    await clock.advance(1);
    expect(await reading).toMatchObject({
      status: 504,
      headers: { "retry-after": "1" },
      object: { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } },
    });
  });
  it("do not fail a read whose resourceVersion is reached in time", async () => {
    const { call, clock } = await testServer();
    const { object } = await call("GET", maps);
    const reading = call("GET", `${maps}?resourceVersion=${Number(meta(object)["resourceVersion"]) + 1}&resourceVersionMatch=NotOlderThan`);
    await clock.settle();
    await call("POST", maps, { metadata: { name: "a" } });
    expect((await reading).object["items"]).toHaveLength(1);
  });
  it("end a watch after its timeoutSeconds, with a bookmark before the end", async () => {
    const { watch, clock } = await testServer();
    const { next } = await watch(`${maps}?watch=true&resourceVersion=5&timeoutSeconds=130&allowWatchBookmarks=true`);
    const first = next();
    await clock.advance(60_000);
    expect(await first).toMatchObject({ type: "BOOKMARK", object: { kind: "ConfigMap" } });
    const second = next();
    await clock.advance(60_000);
    expect(await second).toMatchObject({ type: "BOOKMARK" });
    const third = next();
    await clock.advance(8_000);
    expect(await third).toMatchObject({ type: "BOOKMARK" });
    const last = next();
    await clock.advance(2_000);
    expect(await last).toBeUndefined();
  });
  it("delete Events after an hour", async () => {
    const { call, clock } = await testServer();
    const event = {
      metadata: { name: "e", namespace: "default" },
      involvedObject: { kind: "Pod", name: "p", namespace: "default" },
      reason: "Why",
      message: "why",
    };
    expect((await call("POST", "/api/v1/namespaces/default/events", event)).status).toBe(201);
    await clock.advance(3_599_999);
    expect((await call("GET", "/api/v1/namespaces/default/events/e")).status).toBe(200);
    await clock.advance(1);
    expect((await call("GET", "/api/v1/namespaces/default/events/e")).status).toBe(404);
  });
});

describe("concurrent writers of one object", () => {
  it("both succeed with patches of different fields", async () => {
    const { call } = await testServer();
    await call("POST", maps, { metadata: { name: "a" } });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call("PATCH", `${maps}/a`, { data: { [`k${n}`]: "v" } }, merge)),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(Object.keys((await call("GET", `${maps}/a`)).object["data"] as JsonObject)).toHaveLength(50);
  });
  it("conflict on resourceVersion, and exactly one wins", async () => {
    const { call } = await testServer();
    const { object } = await call("POST", maps, { metadata: { name: "a" } });
    const { resourceVersion = "" } = meta(object);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call("PUT", `${maps}/a`, { metadata: { name: "a", resourceVersion }, data: { n: String(n) } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
  });
});

describe("a watch of the API server", () => {
  it("does not block writers while unread, and delivers every event later", async () => {
    const { call, watch, compact } = await testServer();
    const idle = await watch(`${maps}?watch=true&resourceVersion=5`);
    const first = idle.next();
    await call("POST", maps, { metadata: { name: "a" } });
    expect(await first).toMatchObject({ type: "ADDED" });
    for (let n = 0; n < 100; n++) await call("PATCH", `${maps}/a`, { data: { n: String(n) } }, merge);
    await compact();
    expect(await idle.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect(await idle.next()).toBeUndefined();
  });
  it("of custom objects ends when their definition changes or is deleted", async () => {
    const { call, watch } = await testServer();
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await call("POST", crds, widgets);
    const { next } = await watch("/apis/example.com/v1/widgets?watch=true");
    const ended = next();
    await call("DELETE", `${crds}/widgets.example.com`);
    expect(await ended).toBeUndefined();
    expect((await call("GET", "/apis/example.com/v1/widgets")).status).toBe(404);
  });
  it("ends when its client disconnects", async () => {
    const { watch, clock } = await testServer();
    const { next, stop } = await watch(`${maps}?watch=true&resourceVersion=5`);
    const ended = next();
    await clock.settle();
    stop();
    expect(await ended).toBeUndefined();
  });
});

describe("a CustomResourceDefinition", () => {
  it("is served in discovery and OpenAPI by the time its creation is answered", async () => {
    const { call } = await testServer();
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgets);
    expect(
      (
        await call("POST", "/apis/example.com/v1/namespaces/default/widgets", {
          apiVersion: "example.com/v1",
          kind: "Widget",
          metadata: { name: "w" },
        })
      ).status,
    ).toBe(201);
    expect((await call("GET", "/apis/example.com/v1")).object).toMatchObject({ resources: [{ name: "widgets", kind: "Widget" }] });
    expect((await call("GET", "/openapi/v3")).text).toContain("apis/example.com/v1");
  });
});
