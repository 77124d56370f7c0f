import { describe, expect, it } from "vitest";

import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { mergeLists, partitionItems } from "./strategic-list.ts";
import type { PatchField } from "./strategic-schema.ts";

const byName: PatchField = { schema: { type: "object", properties: {} }, strategy: "merge", retainKeys: false, mergeKey: "name" };
const scalars: PatchField = { schema: { type: "string" }, strategy: "merge", retainKeys: false, mergeKey: "" };
const spread = (original: JsonObject, patch: JsonObject): JsonObject => ({ ...original, ...patch });
const named = (names: string): JsonObject[] => names.split("").map((name) => ({ name }));
const namesOf = (items: readonly JsonValue[]): string => items.map((item) => (item as { name: string }).name).join("");

describe("mergeLists", () => {
  it("treats scalars as a set", () => {
    expect(mergeLists(["a", "b"], ["c", "b", "c"], scalars, spread).items).toEqual(["c", "a", "b"]);
    expect(mergeLists([], [], scalars, spread).items).toEqual([]);
  });

  it("merges objects with the same key, a later one of the patch into an earlier", () => {
    expect(mergeLists(named("ab"), [{ name: "b", x: 1 }, { name: "c" }, { name: "c", y: 2 }], byName, spread).items).toEqual([
      { name: "a" },
      { name: "b", x: 1 },
      { name: "c", y: 2 },
    ]);
  });

  it("deletes every object with the key of a marked item", () => {
    expect(
      mergeLists([{ name: "a" }, { name: "b", x: 1 }, { name: "b", x: 2 }], [{ name: "b", $patch: "delete" }], byName, spread).items,
    ).toEqual([{ name: "a" }]);
  });

  it("replaces everything when an item requests it", () => {
    expect(mergeLists(named("ab"), [{ name: "z" }, { $patch: "replace" }, { name: "y" }], byName, spread).items).toEqual(named("zy"));
  });

  it("returns the server's order after editing in place", () => {
    const after = (patch: JsonObject[]): string => namesOf(mergeLists(named("abcd"), patch, byName, spread).serverOrder);
    const without = (names: string): JsonObject[] => named(names).map((item) => ({ ...item, $patch: "delete" }));
    expect(after(named("x"))).toBe("abcd");
    expect(after(without("b"))).toBe("acdd");
    expect(after(without("d"))).toBe("abcd");
    expect(after(without("da"))).toBe("bccd");
    expect(after([...without("ab"), ...named("x")])).toBe("cdxd");
    expect(after([...without("b"), ...named("xy")])).toBe("acdx");
  });

  it("rejects items it cannot tell apart", () => {
    expect(() => mergeLists(named("a"), named("b"), { ...byName, mergeKey: "" }, spread)).toThrow(
      "cannot merge lists without merge key for struct",
    );
    expect(() => mergeLists(named("a"), [{ image: "x" }], byName, spread)).toThrow(
      "map: map[image:x] does not contain declared merge key: name",
    );
    expect(() => mergeLists(named("a"), [{ $patch: "merge" }], byName, spread)).toThrow(
      "merging lists cannot yet be specified in the patch",
    );
    expect(() => mergeLists(named("a"), [{ $patch: "zap" }], byName, spread)).toThrow("unknown patch type: zap in map: map[$patch:zap]");
    expect(() => partitionItems(named("ab"), [{ name: "a" }, "b"], "name")).toThrow("value for key 1 is not a map");
  });

  it("takes time proportional to the lists, not to their product", () => {
    const many = Array.from({ length: 30_000 }, (_, index): JsonObject => ({ name: `n${index}` }));
    const patch = many.map((item, index): JsonObject => (index % 3 === 0 ? { ...item, $patch: "delete" } : { ...item, x: 1 }));
    expect(mergeLists(many, patch, byName, spread).items).toHaveLength(20_000);
  }, 3_000);
});
