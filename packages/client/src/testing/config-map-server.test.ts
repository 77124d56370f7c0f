import { ConfigMap } from "@drover/api/core/v1";
import { isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "../verbs/client.ts";
import { configMapServer } from "./config-map-server.ts";

function setUp() {
  const server = configMapServer();
  return { server, client: createClient({ ...testRuntime(), transport: server.handle, namespace: "shop", fieldManager: "test" }) };
}
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("configMapServer", () => {
  it("creates, reads, changes and deletes, with versions", async () => {
    const { server, client } = setUp();
    const made = await client.create(ConfigMap, { metadata: { name: "a" }, data: { k: "1" } });
    expect(made.metadata).toMatchObject({ uid: "uid-1", resourceVersion: "1" });
    expect(isAlreadyExists(await failure(client.create(ConfigMap, { metadata: { name: "a" } })))).toBe(true);
    expect(await client.update(ConfigMap, { ...made, data: { k: "2" } })).toMatchObject({
      data: { k: "2" },
      metadata: { uid: "uid-1", resourceVersion: "2" },
    });
    expect(isConflict(await failure(client.update(ConfigMap, made)))).toBe(true);
    await client.apply(ConfigMap, { metadata: { name: "b" }, data: { k: "3" } });
    expect((await client.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    await client.delete(ConfigMap, "a");
    expect(isNotFound(await failure(client.get(ConfigMap, "a")))).toBe(true);
    expect(server.names()).toEqual(["b"]);
  });

  it("watches from a version, and releases a watch that is left", async () => {
    const { server, client } = setUp();
    server.put("a", {});
    server.put("a", { k: "2" });
    const watch = client.watch(ConfigMap, { resourceVersion: "1" });
    expect((await watch.next()).value).toMatchObject({ type: "MODIFIED", object: { data: { k: "2" } } });
    const next = watch.next();
    await client.delete(ConfigMap, "a");
    expect((await next).value).toMatchObject({ type: "DELETED" });
    expect(server.watches()).toBe(1);
    await watch.return?.();
    expect(server.watches()).toBe(0);
  });
});
