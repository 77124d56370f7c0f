import { ManualClock, testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory-store.ts";
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
      const metas = objects.map(({ metadata }) => metadata as { readonly name: string; readonly namespace: string });
      return metas.filter(({ namespace }) => namespace === "default").map(({ name }) => name);
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

  it("has the objects of the store after any sequence of writes and compactions, however seldom it is asked", async () => {
    const step = fc.record({ kind: fc.constantFrom("put", "delete", "other", "compact", "ask"), name: fc.constantFrom("a", "b", "c") });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = new MemoryStore({ clock: new ManualClock(), metrics: testRuntime().metrics });
        const index = new StoredIndex(new ObjectStore(store, { bytesMax: 1e6 }), resource as unknown as Resource, (objects) =>
          objects.map(({ metadata }) => JSON.stringify(metadata)),
        );
        for (const { kind, name } of [...steps, { kind: "ask", name: "" }]) {
          const key = `/registry/configmaps/default/${name}`;
          const { stored } = await store.get(key);
          const expected = stored?.modRevision ?? 0;
          if (kind === "put") await store.put(key, `{"metadata":{"name":"${name}","resourceVersion":""}}`, { expected });
          if (kind === "delete" && stored !== undefined) await store.delete(key, expected);
          if (kind === "other")
            await store.put(`/registry/secrets/${name}${expected}${String(await store.revision())}`, "{}", { expected: 0 });
          if (kind === "compact" && (await store.revision()) > (await store.compacted())) await store.compact(await store.revision());
          if (kind !== "ask") continue;
          const { items } = await store.list("/registry/configmaps/");
          const names = items.map(({ key: at, modRevision }) => ({ name: at.slice(-1), resourceVersion: String(modRevision) }));
          expect(await index.current()).toEqual(names.map((metadata) => JSON.stringify(metadata)));
        }
        store.close();
      }),
    );
  });
});
