import { describe, expect, it } from "vitest";
import { indexFuncToKeyFuncAdapter, metaNamespaceIndexFunc, newIndexer, newStore } from "./indexer.ts";
import { KeyError } from "./key-func.ts";
import { newThreadSafeStore } from "./thread-safe-store.ts";

interface Thing {
  readonly id: string;
  readonly colours?: readonly string[];
}
const idOf = ({ id }: Thing): string => {
  if (id === "") throw new Error("no id");
  return id;
};
const byColour = ({ colours = [] }: Thing): readonly string[] => colours;
const names = (things: readonly Thing[]): string[] => things.map(({ id }) => id).toSorted();

describe("newStore", () => {
  it("returns an added object in its last updated state until it is deleted", () => {
    const store = newStore(idOf);
    store.add({ id: "a" });
    store.add({ id: "b" });
    store.update({ id: "a", colours: ["red"] });
    expect(store.get({ id: "a" })).toEqual({ id: "a", colours: ["red"] });
    expect(store.getByKey("b")).toEqual({ id: "b" });
    store.delete({ id: "b" });
    store.delete({ id: "never there" });
    expect([store.getByKey("b"), store.listKeys(), names(store.list())]).toEqual([undefined, ["a"], ["a"]]);
  });
  it("contains exactly the list after replace, and resync does nothing", () => {
    const store = newStore(idOf);
    store.add({ id: "a" });
    store.replace([{ id: "b" }, { id: "c" }], "7");
    store.resync();
    expect(store.listKeys()).toEqual(["b", "c"]);
  });
  it("rejects an object without a key and changes nothing", () => {
    const store = newStore(idOf);
    store.add({ id: "a" });
    expect(() => store.add({ id: "" })).toThrow(KeyError);
    expect(() => store.replace([{ id: "b" }, { id: "" }])).toThrow(KeyError);
    expect(store.listKeys()).toEqual(["a"]);
  });
  it("returns the stored objects, not copies", () => {
    const store = newStore(idOf);
    const thing = { id: "a" };
    store.add(thing);
    expect(store.getByKey("a")).toBe(thing);
  });
});

describe("newIndexer", () => {
  const filled = () => {
    const indexer = newIndexer(idOf, { colour: byColour });
    for (const thing of [{ id: "a", colours: ["red", "blue"] }, { id: "b", colours: ["red"] }, { id: "c" }]) indexer.add(thing);
    return indexer;
  };
  it("finds objects by index value, with sorted keys", () => {
    const indexer = filled();
    expect([names(indexer.byIndex("colour", "red")), indexer.indexKeys("colour", "red"), indexer.byIndex("colour", "green")]).toEqual([
      ["a", "b"],
      ["a", "b"],
      [],
    ]);
    expect(indexer.listIndexFuncValues("colour").toSorted()).toEqual(["blue", "red"]);
  });
  it("index returns the objects that share a value with an object, without duplicates", () => {
    expect(names(filled().index("colour", { id: "x", colours: ["red", "blue"] }))).toEqual(["a", "b"]);
    expect(filled().index("colour", { id: "x" })).toEqual([]);
  });
  it("follows updates, deletions and replace, and drops values without objects", () => {
    const indexer = filled();
    indexer.update({ id: "a", colours: ["green"] });
    indexer.delete({ id: "b" });
    expect(indexer.listIndexFuncValues("colour")).toEqual(["green"]);
    indexer.replace([{ id: "d", colours: ["black"] }]);
    expect(indexer.listIndexFuncValues("colour")).toEqual(["black"]);
  });
  it("addIndexers indexes existing objects, and rejects a name that is taken", () => {
    const indexer = filled();
    indexer.addIndexers({ initial: ({ id }) => [id] });
    expect(names(indexer.byIndex("initial", "c"))).toEqual(["c"]);
    expect(() => indexer.addIndexers({ initial: () => [], other: () => [] })).toThrow("indexer conflict");
    expect(Object.keys(indexer.getIndexers())).toEqual(["colour", "initial"]);
  });
  it("names the index that does not exist", () => {
    expect(() => filled().byIndex("size", "1")).toThrow("Index with name size does not exist");
    expect(() => filled().index("size", { id: "a" })).toThrow("Index with name size does not exist");
  });
});

describe("ThreadSafeStore", () => {
  it("rejects an object whose index function throws, and changes nothing", () => {
    const store = newThreadSafeStore<Thing>({
      colour: (thing) => {
        if (thing.colours === undefined) throw new Error("no colours");
        return thing.colours;
      },
    });
    store.add("a", { id: "a", colours: ["red"] });
    expect(() => store.update("a", { id: "a" })).toThrow('unable to calculate an index entry for key "a" on index "colour": no colours');
    expect(() => store.add("b", { id: "b" })).toThrow("no colours");
    expect(() => store.replace(new Map([["c", { id: "c" }]]))).toThrow("no colours");
    store.resync();
    expect([store.listKeys(), store.indexKeys("colour", "red")]).toEqual([["a"], ["a"]]);
    store.delete("a");
    expect(store.get("a")).toBeUndefined();
  });
});

describe("indexFuncToKeyFuncAdapter and metaNamespaceIndexFunc", () => {
  it("indexFuncToKeyFuncAdapter rejects index functions without exactly one value", () => {
    const keyFunc = indexFuncToKeyFuncAdapter(byColour);
    expect(keyFunc({ id: "a", colours: ["red"] })).toBe("red");
    expect(() => keyFunc({ id: "a", colours: ["red", "blue"] })).toThrow("too many keys: red, blue");
    expect(() => keyFunc({ id: "a" })).toThrow("unexpected empty indexKeys");
  });
  it("metaNamespaceIndexFunc returns the namespace", () => {
    expect([metaNamespaceIndexFunc({ metadata: { namespace: "shop" } }), metaNamespaceIndexFunc({ metadata: {} })]).toEqual([
      ["shop"],
      [""],
    ]);
  });
});
