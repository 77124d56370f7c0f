import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const path = "/apis/apiregistration.k8s.io/v1/apiservices";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const version = (name: string, served = true, storage = false): object => ({
  name,
  served,
  storage,
  schema: { openAPIV3Schema: { type: "object" } },
});
const crd = (plural: string, ...versions: object[]): never =>
  ({
    metadata: { name: `${plural}.example.com` },
    spec: { group: "example.com", scope: "Namespaced", names: { plural, kind: plural.toUpperCase() }, versions },
  }) as never;

async function custom(server: TestServer): Promise<string[]> {
  const { items } = (await server.call("GET", path)).object as unknown as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).filter((name) => name.endsWith("example.com"));
}

describe("APIServices", () => {
  it("exist for every built-in group version, available", async () => {
    const server = await testServer();
    const { object } = await server.call("GET", `${path}/v1.apps`);
    expect(object).toMatchObject({
      metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
      spec: { group: "apps", version: "v1", groupPriorityMinimum: 17800, versionPriority: 15 },
      status: { conditions: [{ type: "Available", status: "True", reason: "Local", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
    });
  });

  it("come and go with the served versions of custom resources", async () => {
    const server = await testServer();
    await server.call("POST", crds, crd("as", version("v1", true, true), version("v2"), version("v3", false)));
    expect(await custom(server)).toEqual(["v1.example.com", "v2.example.com"]);
    expect((await server.call("GET", `${path}/v1.example.com`)).object).toMatchObject({
      metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
      spec: { groupPriorityMinimum: 1000, versionPriority: 100 },
    });
    await server.call("POST", crds, crd("bs", version("v1", true, true)));
    await server.call("DELETE", `${crds}/as.example.com`);
    expect(await custom(server)).toEqual(["v1.example.com"]);
    await server.call("DELETE", `${crds}/bs.example.com`);
    expect(await custom(server)).toEqual([]);
  });

  it("stay until the last object of a definition is gone", async () => {
    const server = await testServer();
    await server.call("POST", crds, crd("as", version("v1", true, true)));
    const object = "/apis/example.com/v1/namespaces/default/as";
    await server.call("POST", object, { apiVersion: "example.com/v1", kind: "AS", metadata: { name: "x", finalizers: ["example.com/f"] } });
    await server.call("DELETE", `${crds}/as.example.com`);
    expect(await custom(server)).toEqual(["v1.example.com"]);
    await server.call("PATCH", `${object}/x`, { metadata: { finalizers: null } }, { "content-type": "application/merge-patch+json" });
    expect(await custom(server)).toEqual([]);
  });

  it("of custom resources come back when deleted; those of users and of the start do not, and stay", async () => {
    const server = await testServer();
    await server.call("POST", crds, crd("as", version("v1", true, true)));
    await server.call("DELETE", `${path}/v1.example.com`);
    expect(await custom(server)).toEqual(["v1.example.com"]);
    const own = {
      metadata: { name: "v9.example.com" },
      spec: { group: "example.com", version: "v9", groupPriorityMinimum: 1, versionPriority: 1 },
    };
    expect((await server.call("POST", path, own)).status).toBe(201);
    await server.call("DELETE", `${crds}/as.example.com`);
    expect(await custom(server)).toEqual(["v9.example.com"]);
    await server.call("DELETE", `${path}/v1.apps`);
    expect((await server.call("GET", `${path}/v1.apps`)).status).toBe(404);
  });
});
