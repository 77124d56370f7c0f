import { objectKey } from "@drover/machinery";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { mappedHandler } from "./mapped-handler.ts";

/** An object that affects the names in an annotation. */
const concerning = (...names: string[]): KubeObject => ({
  metadata: { namespace: "shop", name: "config", annotations: { for: names.join(",") } },
});
const namesOf = (object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }): readonly string[] =>
  (object.metadata.annotations?.["for"] ?? "").split(",").filter((name) => name !== "");
const handler = mappedHandler((object) => namesOf(object).map((name) => objectKey(name, "shop")));
const keys = (...args: Parameters<typeof handler>): readonly ObjectKey[] => handler(...args).map(({ key }) => key);

describe("mappedHandler", () => {
  it("requests the keys of the function, for every type of change", () => {
    for (const change of [added(concerning("a", "b")), deleted(concerning("a", "b"))]) expect(keys(change)).toEqual(["shop/a", "shop/b"]);
    expect(keys(added(concerning()))).toEqual([]);
  });

  it("calls the function for the old and the new object, so that keys that are no longer affected are enqueued (§9.17)", () => {
    expect(keys(updated(concerning("a", "b"), concerning("b", "c")))).toEqual(["shop/a", "shop/b", "shop/c"]);
  });

  it("removes duplicates, also within one call", () => {
    expect(keys(added(concerning("a", "a", "a")))).toEqual(["shop/a"]);
  });

  it("calls the function once for a resync", () => {
    let calls = 0;
    const same = concerning("a");
    mappedHandler(() => {
      calls++;
      return [];
    })(updated(same, same));
    expect(calls).toBe(1);
  });

  it("accepts any iterable, and passes on errors of the function", () => {
    expect(mappedHandler(() => new Set([objectKey("a")]))(added(concerning()))).toMatchObject([{ key: "a", cause: { via: "mapped" } }]);
    expect(() =>
      mappedHandler(() => {
        throw new Error("no such index");
      })(added(concerning())),
    ).toThrow("no such index");
  });

  it("requests exactly the union of both states, each key once", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"));
    fc.assert(
      fc.property(names, names, (before, after) => {
        const asked = keys(updated(concerning(...before), concerning(...after)));
        expect(asked).toEqual([...new Set([...before, ...after])].map((name) => `shop/${name}`));
      }),
    );
  });
});
