import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/ex.io/v1/namespaces/default/widgets";

/** A kind whose list items have a default of this length. */
const widgetDefinition = (length: number): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              items: {
                type: "array",
                items: {
                  type: "object",
                  properties: { a: { type: "string", ...(length === 0 ? {} : { default: "x".repeat(length) }) } },
                },
              },
            },
          },
        },
      },
    ],
  },
});

const widget = (name: string, items: number): JsonObject => ({
  apiVersion: "ex.io/v1",
  kind: "Widget",
  metadata: { name },
  items: Array.from({ length: items }, () => ({})),
});

async function serverWith(length: number): Promise<TestServer> {
  const server = await testServer();
  expect((await server.call("POST", definitions, widgetDefinition(length))).status).toBe(201);
  return server;
}

describe("defaults of custom objects", () => {
  it("cannot make a small body large (SEC11)", async () => {
    const server = await serverWith(50_000);
    expect((await server.call("POST", widgets, widget("small", 20))).status).toBe(201);
    const large = await server.call("POST", widgets, widget("large", 20_000));
    expect([large.status, large.object["message"]]).toEqual([500, "etcdserver: request is too large"]);
    const patched = await server.call(
      "PATCH",
      `${widgets}/small`,
      { items: Array.from({ length: 1000 }, () => ({})) },
      { "content-type": "application/merge-patch+json" },
    );
    expect([patched.status, patched.object["message"]]).toEqual([500, "etcdserver: request is too large"]);
    server.close();
  });

  it("are left out when a stored object would grow too much, and lists go on (SEC11)", async () => {
    const server = await serverWith(0);
    for (const [name, items] of [
      ["few", 2],
      ["many", 1000],
    ] as const)
      expect((await server.call("POST", widgets, widget(name, items))).status).toBe(201);
    const { object: current } = await server.call("GET", `${definitions}/widgets.ex.io`);
    const { resourceVersion } = current["metadata"] as { resourceVersion: string };
    const changed = widgetDefinition(1000);
    const put = await server.call("PUT", `${definitions}/widgets.ex.io`, {
      ...changed,
      metadata: { name: "widgets.ex.io", resourceVersion },
    });
    expect(put.status).toBe(200);
    const list = await server.call("GET", widgets);
    expect(list.status).toBe(200);
    const [few, many] = list.object["items"] as { items: { a?: string }[] }[];
    expect([few?.items[1]?.a?.length, many?.items.length, many?.items[0]]).toEqual([1000, 1000, {}]);
    server.close();
  });
});
