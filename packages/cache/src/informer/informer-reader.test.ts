import { describe, expect, it } from "vitest";
import { IndexedStore } from "../store/indexed-store.ts";
import { StoreReader } from "./informer-reader.ts";
import { namespaceIndexFunction } from "../store/informer-store.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

function stage(...versions: ObjectVersion<TestPod>[]): { reader: StoreReader<TestPod>; unreadable: string[] } {
  const store = new IndexedStore<ObjectVersion<TestPod>>({
    indexers: { namespace: namespaceIndexFunction },
    onIndexError: () => undefined,
  });
  for (const version of versions) store.set(version.key, version);
  const unreadable: string[] = [];
  return { reader: new StoreReader(store, (key) => unreadable.push(key)), unreadable };
}

/** A version that counts the reads of its object, and may fail at them. */
function watched(key: string, labels: Record<string, string>, reads: string[], isBroken = false): ObjectVersion<TestPod> {
  const version = podVersion(key, 1, { labels });
  return {
    ...version,
    get object() {
      reads.push(key);
      if (isBroken) throw new Error("broken");
      return version.object;
    },
  };
}

describe("StoreReader", () => {
  it("parses no object that is not returned: keys, namespaces and labels need no parsing (§9.13)", () => {
    const reads: string[] = [];
    const { reader } = stage(
      watched("shop/web", { app: "web" }, reads),
      watched("shop/db", { app: "db" }, reads),
      watched("home/web", { app: "web" }, reads),
    );
    reads.length = 0;
    expect([
      reader.size,
      reader.keys(),
      reader.indexKeys("namespace", "shop"),
      reader.listIndexValues("namespace"),
      reader.indexNames,
    ]).toEqual([3, ["shop/web", "shop/db", "home/web"], ["shop/db", "shop/web"], ["shop", "home"], ["namespace"]]);
    expect([reader.getVersion(keyOf("shop/web"))?.uid, reads]).toEqual(["shop/web-uid", []]);
    expect(reader.list({ namespace: "shop", labelSelector: "app=web" })).toHaveLength(1);
    expect(reads).toEqual(["shop/web"]);
  });

  it("leaves out and reports objects that cannot be decoded; get throws", () => {
    const { reader, unreadable } = stage(podVersion("shop/web", 1), {
      ...podVersion("shop/bad", 1),
      get object(): never {
        throw new Error("broken");
      },
    });
    expect([reader.list().length, reader.byIndex("namespace", "shop").length, unreadable]).toEqual([1, 1, ["shop/bad", "shop/bad"]]);
    expect(() => reader.get(keyOf("shop/bad"))).toThrow("broken");
    expect(reader.list({ namespace: "nowhere" })).toEqual([]);
  });
});
