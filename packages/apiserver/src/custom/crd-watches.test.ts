import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/ex.io/v1/namespaces/default/widgets";

const definition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const widget = (name: string, finalizers: string[] = []): JsonObject => ({
  apiVersion: "ex.io/v1",
  kind: "Widget",
  metadata: { name, finalizers },
});

async function served(): Promise<TestServer> {
  const server = await testServer();
  expect((await server.call("POST", definitions, definition)).status).toBe(201);
  return server;
}

/** Returns "TYPE name" of each event until the watch ends. */
async function rest({ next }: Awaited<ReturnType<TestServer["watch"]>>): Promise<string[]> {
  const seen: string[] = [];
  for (let event = await next(); event !== undefined; event = await next())
    seen.push(`${event.type} ${(event.object["metadata"] as { name?: string }).name ?? ""}`);
  return seen;
}

describe("watches of a custom resource whose definition is deleted", () => {
  it("get DELETED for every object, then end (SEC10)", async () => {
    const server = await served();
    for (const name of ["a", "b", "c"]) await server.call("POST", widgets, widget(name));
    const waiting = await server.watch(`${widgets}?watch=true&resourceVersion=`);
    const whole = rest(waiting);
    await server.clock.settle();
    // This one reads its first event only after the definition is gone.
    const late = await server.watch(`/apis/ex.io/v1/widgets?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    expect((await late.next())?.type).toBe("ADDED");
    expect((await server.call("DELETE", `${definitions}/widgets.ex.io`)).status).toBe(200);
    expect((await server.call("GET", widgets)).status).toBe(404);
    expect(await whole).toEqual(["ADDED a", "ADDED b", "ADDED c", "DELETED a", "DELETED b", "DELETED c"]);
    expect(await rest(late)).toEqual(["ADDED b", "ADDED c", "DELETED a", "DELETED b", "DELETED c"]);
    server.close();
  });

  it("last until the final object loses its finalizer (SEC10)", async () => {
    const server = await served();
    await server.call("POST", widgets, widget("a"));
    await server.call("POST", widgets, widget("kept", ["ex.io/hold"]));
    const watch = rest(await server.watch(`${widgets}?watch=true&resourceVersion=`));
    await server.clock.settle();
    await server.call("DELETE", `${definitions}/widgets.ex.io`);
    expect((await server.call("POST", widgets, widget("new"))).status).toBe(403);
    const released = await server.call(
      "PATCH",
      `${widgets}/kept`,
      { metadata: { finalizers: null } },
      {
        "content-type": "application/merge-patch+json",
      },
    );
    expect(released.status).toBe(200);
    expect(await watch).toEqual(["ADDED a", "ADDED kept", "DELETED a", "MODIFIED kept", "DELETED kept"]);
    server.close();
  });

  it("do not see the objects of a new definition of the same name (SEC10)", async () => {
    const server = await served();
    await server.call("POST", widgets, widget("old"));
    const late = await server.watch(`${widgets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    expect((await late.next())?.type).toBe("ADDED");
    await server.call("DELETE", `${definitions}/widgets.ex.io`);
    await server.call("POST", definitions, definition);
    expect((await server.call("POST", widgets, widget("new"))).status).toBe(201);
    expect(await rest(late)).toEqual(["DELETED old"]);
    server.close();
  });

  it("end at once when the definition was changed before the first event was read", async () => {
    const server = await served();
    const watch = await server.watch(`${widgets}?watch=true&resourceVersion=`);
    await server.call("DELETE", `${definitions}/widgets.ex.io`);
    expect(await rest(watch)).toEqual([]);
    server.close();
  });
});
