import type { ResourceQuota } from "@drover/api/core/v1";
import { assert } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { builtInResources } from "../builtin/built-in-resources.ts";
import { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { MemoryStore } from "../storage/memory-store.ts";
import { printerOf } from "../table/printers.ts";
import { NamespacedObjects } from "./namespaced-objects.ts";

interface Stage {
  readonly objects: ObjectStore;
  readonly found: NamespacedObjects<ResourceQuota>;
  readonly put: (namespace: string, name: string, expected?: number) => Promise<number>;
  readonly names: (namespace: string) => readonly string[] | Promise<readonly string[]>;
  readonly resource: Resource;
}

function stage(): Stage {
  const clock = new ManualClock();
  const resource = builtInResources({ clock, strategies: new Map(), printerOf, afterWrite: new Map() }).find(
    ({ kind }) => kind.plural === "resourcequotas",
  );
  assert(resource !== undefined, "quotas are served");
  const objects = new ObjectStore(new MemoryStore({ clock }), { bytesMax: 2 ** 20 });
  const found = new NamespacedObjects<ResourceQuota>(objects, resource);
  return {
    objects,
    found,
    resource,
    put: async (namespace, name, expected = 0) => {
      const object: JsonObject = { metadata: { namespace, name }, spec: {} };
      const stored = await objects.put(resource, `${resource.storagePrefix}${namespace}/${name}`, object, { expected });
      return stored?.modRevision ?? 0;
    },
    names: (namespace) => {
      const all = found.in(namespace);
      return all instanceof Promise ? all.then((some) => some.map(({ name }) => name)) : all.map(({ name }) => name);
    },
  };
}

describe("NamespacedObjects", () => {
  it("lists once, and then knows every write without waiting", async () => {
    const { objects, put, names, resource } = stage();
    await put("a", "one");
    expect(names("a")).toBeInstanceOf(Promise);
    expect(await names("a")).toEqual(["one"]);
    const revision = await put("a", "two");
    await put("b", "three");
    expect([names("a"), names("b"), names("c")]).toEqual([["one", "two"], ["three"], []]);
    await objects.delete(`${resource.storagePrefix}a/two`, revision);
    expect(names("a")).toEqual(["one"]);
  });

  it("lists again when the writes it has not seen are compacted", async () => {
    const { objects, put, names } = stage();
    expect(await names("a")).toEqual([]);
    await put("a", "one");
    await objects.store.compact(await objects.store.revision());
    await put("a", "two");
    expect(await names("a")).toEqual(["one", "two"]);
    await put("a", "zero");
    expect(names("a")).toEqual(["one", "two", "zero"]);
  });

  it("takes over a write of its caller, but none that is older than what it knows", async () => {
    const { found, put, names, objects, resource } = stage();
    const key = `${resource.storagePrefix}a/one`;
    const first = await put("a", "one");
    const { stored: old } = await objects.store.get(key);
    await names("a");
    const second = await put("a", "one", first);
    const versions = (): readonly number[] => {
      const all = found.in("a");
      return all instanceof Promise ? [] : all.map(({ stored }) => stored.modRevision);
    };
    expect(versions()).toEqual([second]);
    assert(old !== undefined, "it was stored");
    found.remember(old);
    expect(versions()).toEqual([second]);
    found.remember({ ...old, modRevision: second + 5 });
    expect(versions()).toEqual([second + 5]);
  });
});
