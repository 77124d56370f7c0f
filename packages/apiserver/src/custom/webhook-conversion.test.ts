import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { at, ok, webhookServer } from "../testing/webhook-server.ts";
import type { WebhookServer } from "../testing/webhook-server.ts";

const schema = (properties: JsonObject): JsonObject => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
});
const version = (name: string, storage: boolean, properties: JsonObject): JsonObject => ({
  name,
  served: true,
  storage,
  schema: schema(properties),
});
const definition = (storage: "v1" | "v2", strategy: "None" | "Webhook" = "Webhook"): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boxes.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Cluster",
    names: { plural: "boxes", kind: "Box" },
    versions: [
      version("v1", storage === "v1", { size: { type: "integer" } }),
      version("v2", storage === "v2", { width: { type: "string" } }),
    ],
    conversion:
      strategy === "None"
        ? { strategy }
        : { strategy, webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://hook.test/convert" } } },
  },
});
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boxes = (v: "v1" | "v2", name = ""): string => `/apis/ex.io/${v}/boxes${name === "" ? "" : `/${name}`}`;
const box = (v: "v1" | "v2", name: string, spec: JsonObject): JsonObject => ({
  apiVersion: `ex.io/${v}`,
  kind: "Box",
  metadata: { name },
  spec,
});

function converted(object: JsonObject, apiVersion: JsonValue): JsonObject {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  return {
    ...object,
    apiVersion,
    spec: apiVersion === "ex.io/v2" ? { width: JSON.stringify(spec["size"]) } : { size: Number(spec["width"]) },
  };
}

interface BoxServer extends WebhookServer {
  /** Numbers of objects in the reviews so far. */
  readonly sizes: number[];
}

async function boxServer(storage: "v1" | "v2" = "v1"): Promise<BoxServer> {
  const server = await webhookServer();
  const sizes: number[] = [];
  server.hook("convert", ({ objects, desiredAPIVersion = "" }) => {
    const all = objects as JsonObject[];
    sizes.push(all.length);
    return { result: { status: "Success" }, convertedObjects: all.map((object) => converted(object, desiredAPIVersion)) };
  });
  await server.call("POST", crds, definition(storage));
  return { ...server, sizes };
}

describe("a conversion webhook", () => {
  it("converts objects that are read and written in another version", async () => {
    const { call, close } = await boxServer();
    await call("POST", boxes("v1"), box("v1", "a", { size: 3 }));
    expect(at((await call("GET", boxes("v2", "a"))).object, "spec")).toEqual({ width: "3" });
    const { object } = await call("POST", boxes("v2"), box("v2", "b", { width: "4" }));
    expect([object["apiVersion"], at(object, "spec")]).toEqual(["ex.io/v2", { width: "4" }]);
    expect(at((await call("GET", boxes("v1", "b"))).object, "spec")).toEqual({ size: 4 });
    const merge = { "content-type": "application/merge-patch+json" };
    await call("PATCH", boxes("v2", "a"), { spec: { width: "9" } }, merge);
    expect(at((await call("GET", boxes("v1", "a"))).object, "spec")).toEqual({ size: 9 });
    close();
  });

  it("is called once for a list, with all objects, and not again for those it has converted", async () => {
    const { call, sizes, close } = await boxServer();
    for (const name of ["a", "b", "c"]) await call("POST", boxes("v1"), box("v1", name, { size: 1 }));
    const items = async (): Promise<JsonValue[]> =>
      ((await call("GET", boxes("v2"))).object["items"] as JsonObject[]).map((item) => at(item, "spec", "width") ?? null);
    expect(await items()).toEqual(["1", "1", "1"]);
    expect(sizes).toEqual([3]);
    await call("POST", boxes("v1"), box("v1", "d", { size: 2 }));
    expect(await items()).toEqual(["1", "1", "1", "2"]);
    expect(sizes).toEqual([3, 1]);
    close();
  });

  it("converts long lists in several calls, and an object once for all watchers", async () => {
    const { call, watch, sizes, close } = await boxServer();
    for (let index = 0; index < 120; index++) await call("POST", boxes("v1"), box("v1", `b${index}`, { size: index }));
    const { object: list } = await call("GET", boxes("v2"));
    expect((list["items"] as JsonObject[]).length).toBe(120);
    expect(sizes.splice(0)).toEqual([100, 20]);
    const since = at(list, "metadata", "resourceVersion") as string;
    const watches = await Promise.all(Array.from({ length: 5 }, () => watch(`${boxes("v2")}?watch=true&resourceVersion=${since}`)));
    const events = watches.map(({ next }) => next());
    await call("POST", boxes("v1"), box("v1", "seen", { size: 7 }));
    for (const event of await Promise.all(events)) expect(at(event?.object, "spec", "width")).toBe("7");
    expect(sizes).toEqual([1]);
    for (const { stop } of watches) stop();
    close();
  });

  it("converts what a watch sees", async () => {
    const { call, watch, close } = await boxServer();
    const { next, stop } = await watch(`${boxes("v2")}?watch=true`);
    const first = next();
    await call("POST", boxes("v1"), box("v1", "a", { size: 3 }));
    const event = await first;
    expect([event?.type, at(event?.object, "apiVersion"), at(event?.object, "spec", "width")]).toEqual(["ADDED", "ex.io/v2", "3"]);
    await call("DELETE", boxes("v1", "a"));
    const last = await next();
    expect([last?.type, at(last?.object, "spec", "width")]).toEqual(["DELETED", "3"]);
    stop();
    close();
  });

  it("fails requests in the other version while it is down, and only those", async () => {
    const { call, hook, close } = await boxServer();
    await call("POST", boxes("v1"), box("v1", "a", { size: 3 }));
    await call("GET", boxes("v2"));
    hook("convert", () => ({ status: 503, headers: {}, body: "" }));
    const { status, object } = await call("GET", boxes("v2", "a"));
    expect([status, object["message"]]).toEqual([
      500,
      "conversion webhook for ex.io/v1, Kind=Box failed: the server is currently unable to handle the request",
    ]);
    expect((await call("GET", boxes("v1", "a"))).status).toBe(200);
    expect((await call("GET", boxes("v2"))).status).toBe(200);
    const refused = await call("POST", boxes("v2"), box("v2", "b", { width: "4" }));
    expect(refused.status).toBe(500);
    expect((await call("GET", boxes("v1", "b"))).status).toBe(404);
    close();
  });

  it("converts objects from the version they were stored in, after the storage version has changed", async () => {
    const { call, close } = await boxServer("v1");
    await call("POST", boxes("v1"), box("v1", "old", { size: 3 }));
    const { object } = await call("GET", `${crds}/boxes.ex.io`);
    const changed = definition("v2");
    await call("PUT", `${crds}/boxes.ex.io`, {
      ...changed,
      metadata: { name: "boxes.ex.io", resourceVersion: at(object, "metadata", "resourceVersion") ?? "" },
    });
    await call("POST", boxes("v2"), box("v2", "new", { width: "4" }));
    expect(at((await call("GET", boxes("v2", "old"))).object, "spec")).toEqual({ width: "3" });
    expect(at((await call("GET", boxes("v1", "old"))).object, "spec")).toEqual({ size: 3 });
    expect(at((await call("GET", boxes("v1", "new"))).object, "spec")).toEqual({ size: 4 });
    close();
  });

  it("knows the version of objects that were stored before there was a webhook", async () => {
    const server = await webhookServer();
    server.hook("convert", ({ objects, desiredAPIVersion = "" }) => ({
      result: { status: "Success" },
      convertedObjects: (objects as JsonObject[]).map((object) => converted(object, desiredAPIVersion)),
    }));
    const { call, close } = server;
    await call("POST", crds, definition("v1", "None"));
    await call("POST", boxes("v1"), box("v1", "old", { size: 3 }));
    const { object } = await call("GET", `${crds}/boxes.ex.io`);
    const metadata = { name: "boxes.ex.io", resourceVersion: at(object, "metadata", "resourceVersion") ?? "" };
    await call("PUT", `${crds}/boxes.ex.io`, { ...definition("v2"), metadata });
    expect(at((await call("GET", boxes("v2", "old"))).object, "spec")).toEqual({ width: "3" });
    close();
  });

  it("may change labels and annotations, and no other metadata", async () => {
    const { call, hook, close } = await boxServer();
    await call("POST", boxes("v1"), box("v1", "a", { size: 3 }));
    const change = (metadata: JsonObject): void =>
      hook("convert", ({ objects, desiredAPIVersion = "" }) => ({
        result: { status: "Success" },
        convertedObjects: (objects as JsonObject[]).map((object) => ({
          ...converted(object, desiredAPIVersion),
          metadata: { ...(object["metadata"] as JsonObject), ...metadata },
        })),
      }));
    change({ labels: { a: "b" }, finalizers: ["ex.io/f"] });
    const { object } = await call("GET", boxes("v2", "a"));
    expect([at(object, "metadata", "labels"), at(object, "metadata", "finalizers")]).toEqual([{ a: "b" }, undefined]);
    change({ name: "other" });
    expect((await call("GET", boxes("v2", "a"))).object["message"]).toBe(
      "conversion webhook for ex.io/v1, Kind=Box returned invalid object: must have the same name: a != other",
    );
    close();
  });

  it("does not keep a definition from being deleted by anything but its own objects", async () => {
    const { call, hook, close } = await boxServer();
    await call("POST", boxes("v1"), box("v1", "a", { size: 3 }));
    hook("convert", () => ok("nonsense"));
    expect((await call("DELETE", `${crds}/boxes.ex.io`)).status).toBe(200);
    expect((await call("GET", `${crds}/boxes.ex.io`)).status).toBe(404);
    close();
  });
});
