/** Objects that are stored in another version than the storage version of their definition, without a conversion webhook. */
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { at, webhookServer } from "../testing/webhook-server.ts";
import type { WebhookServer } from "../testing/webhook-server.ts";

const version = (name: string, storage: string, properties: JsonObject): JsonObject => ({
  name,
  served: true,
  storage: name === storage,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
});
const text = { type: "string" };
const v1 = (storage: string): JsonObject => version("v1", storage, { a: text, old: text });
const v2 = (storage: string): JsonObject => version("v2", storage, { a: text, young: { ...text, default: "y" } });

const crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boxes = (v: string, name = ""): string => `/apis/ex.io/${v}/boxes${name === "" ? "" : `/${name}`}`;
const merge = { "content-type": "application/merge-patch+json" };

/** A server with the boxes "a" and "b", stored in v1 before the storage version became v2. */
async function movedServer(): Promise<WebhookServer> {
  const server = await webhookServer();
  await server.call("POST", crd, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boxes.ex.io" },
    spec: { group: "ex.io", scope: "Cluster", names: { plural: "boxes", kind: "Box" }, versions: [v1("v1"), v2("v1")] },
  });
  for (const name of ["a", "b"])
    await server.call("POST", boxes("v1"), { apiVersion: "ex.io/v1", kind: "Box", metadata: { name }, spec: { a: "1", old: "o" } });
  await server.call("PATCH", `${crd}/boxes.ex.io`, { spec: { versions: [v1("v2"), v2("v2")] } }, merge);
  return server;
}

/** The same, and v1 was removed from the definition although "b" is stored in it. */
async function lostServer(): Promise<WebhookServer> {
  const server = await movedServer();
  await server.call("PATCH", boxes("v2", "a"), {}, merge);
  await server.call("PATCH", `${crd}/boxes.ex.io/status`, { status: { storedVersions: ["v2"] } }, merge);
  await server.call("PATCH", `${crd}/boxes.ex.io`, { spec: { versions: [v2("v2")] } }, merge);
  return server;
}

describe("an object stored in another version than the storage version", () => {
  it("has the fields and defaults of the version it is stored in", async () => {
    const { call, close } = await movedServer();
    const spec = async (v: string): Promise<unknown> => at((await call("GET", boxes(v, "a"))).object, "spec");
    expect([await spec("v1"), await spec("v2")]).toEqual([{ a: "1", old: "o" }, { a: "1" }]);
    await call("PATCH", boxes("v2", "a"), {}, merge);
    expect([await spec("v1"), await spec("v2")]).toEqual([{ a: "1" }, { a: "1", young: "y" }]);
    close();
  });

  it("is written by an unchanged update once, with the same generation, also if the names of the versions are equally long", async () => {
    const { call, close } = await movedServer();
    const meta = async (): Promise<unknown[]> => {
      const { object } = await call("GET", boxes("v1", "b"));
      return [at(object, "metadata", "resourceVersion"), at(object, "metadata", "generation")];
    };
    const [before, generation] = await meta();
    await call("PATCH", boxes("v1", "b"), {}, merge);
    const [first, same] = await meta();
    await call("PATCH", boxes("v1", "b"), {}, merge);
    expect([first !== before, same, await meta()]).toEqual([true, generation, [first, generation]]);
    close();
  });

  it("fails reads, writes and watches with a 500 that names the version once the definition does not have it, and no others", async () => {
    const { call, watch, close } = await lostServer();
    const message = "request to convert CR from an invalid group/version: ex.io/v1";
    for (const [method, path, body] of [
      ["GET", boxes("v2", "b")],
      ["GET", boxes("v2")],
      ["PATCH", boxes("v2", "b"), {}],
      ["DELETE", boxes("v2", "b")],
    ] as const) {
      const { status, object } = await call(method, path, body, method === "PATCH" ? merge : {});
      expect([path, status, object["message"]]).toEqual([path, 500, message]);
    }
    const broken = await watch(`${boxes("v2")}?watch=true&resourceVersion=0`);
    expect(await broken.next()).toMatchObject({ type: "ERROR", object: { code: 500, message } });
    broken.stop();
    expect((await call("GET", boxes("v2", "a"))).status).toBe(200);
    const since = at((await call("GET", boxes("v2", "a"))).object, "metadata", "resourceVersion") as string;
    const { next, stop } = await watch(`${boxes("v2")}?watch=true&resourceVersion=${since}`);
    const event = next();
    await call("PATCH", boxes("v2", "a"), { spec: { a: "2" } }, merge);
    expect(at((await event)?.object, "spec", "a")).toBe("2");
    stop();
    close();
  });

  it("keeps a definition that does not have its version from being deleted, and the server goes on", async () => {
    const { call, close } = await lostServer();
    await call("DELETE", `${crd}/boxes.ex.io`);
    expect((await call("GET", `${crd}/boxes.ex.io`)).status).toBe(200);
    expect((await call("GET", boxes("v2", "a"))).status).toBe(404);
    expect((await call("GET", boxes("v2", "b"))).status).toBe(500);
    close();
  });
});
