import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { ObjectStore } from "./object-store.ts";
import type { Resource } from "./resource.ts";
import { StoredIndex } from "./stored-index.ts";

const path = "/api/v1/namespaces/default/configmaps";
const resource = { kind: { group: "", version: "v1", kind: "ConfigMap" }, storagePrefix: "/registry/configmaps/", isCustom: false };

describe("StoredIndex", () => {
  it("is current after each write, and builds its value only after a change", async () => {
    const { store, call, close } = await testServer();
    let built = 0;
    const index = new StoredIndex(new ObjectStore(store, { bytesMax: 1e6 }), resource as unknown as Resource, (objects) => {
      built++;
      return objects.map(({ metadata }) => (metadata as { name: string }).name).filter((name) => name !== "kube-root-ca.crt");
    });
    expect(await index.current()).toEqual([]);
    await call("POST", path, { metadata: { name: "b" } });
    await call("POST", path, { metadata: { name: "a" } });
    expect(index.current()).toEqual(["a", "b"]);
    const before = built;
    await call("POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
    await index.current();
    expect(built).toBe(before);
    await call("DELETE", `${path}/a`);
    expect(index.current()).toEqual(["b"]);
    close();
  });

  it("starts over after its history was compacted, or a snapshot restored", async () => {
    const server = await testServer();
    const snapshot = server.snapshot();
    const index = new StoredIndex(
      new ObjectStore(server.store, { bytesMax: 1e6 }),
      resource as unknown as Resource,
      (objects) => objects.length,
    );
    const empty = await index.current();
    await server.call("POST", path, { metadata: { name: "a" } });
    await server.compact();
    expect(await index.current()).toBe(empty + 1);
    await server.restore(snapshot);
    expect(await index.current()).toBe(empty);
    server.close();
  });
});
