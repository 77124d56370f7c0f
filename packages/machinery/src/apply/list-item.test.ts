import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { distinctElements, itemElement } from "./list-item.ts";
import { builtInMergeType } from "./merge-type.ts";
import type { ListType } from "./merge-type.ts";

const listOf = (schema: Schema): ListType => builtInMergeType({ type: "array", ...schema }).list ?? expect.unreachable();
const ports = listOf({
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["protocol", "port"],
  items: { type: "object", properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } } },
});
const names = listOf({
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: { type: "object", properties: { name: { type: "string" } } },
});
const words = listOf({ "x-kubernetes-list-type": "set", items: { type: "string" } });

describe("itemElement", () => {
  it("uses sorted keys, with defaults for missing ones", () => {
    expect(itemElement(ports, { port: 80 })).toBe('k:{"port":80,"protocol":"TCP"}');
    expect(itemElement(ports, { port: 80, protocol: "UDP" })).toBe('k:{"port":80,"protocol":"UDP"}');
    expect(itemElement(ports, {})).toBe('k:{"protocol":"TCP"}');
  });

  it("uses the value in sets", () => {
    expect([itemElement(words, "a"), itemElement(words, 1), itemElement(words, true)]).toEqual(['v:"a"', "v:1", "v:true"]);
  });

  it("reports items without keys in the server's words", () => {
    expect(itemElement(names, {})).toEqual({
      problem:
        'associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    });
    expect(itemElement(names, null)).toEqual({ problem: "associative list with keys may not have a null element" });
    expect(itemElement(names, "x")).toEqual({ problem: "associative list with keys may not have non-map elements" });
    expect(itemElement(words, {})).toEqual({ problem: "associative list without keys has an element that's a map type" });
    expect(itemElement(words, [])).toEqual({ problem: "not supported: associative list with lists as elements" });
    expect(itemElement(words, null)).toEqual({ problem: "associative list without keys has an element that's an explicit null" });
    expect(itemElement({ ...names, items: () => ({ scalar: "string" }) }, {})).toEqual({
      problem: "couldn't find default value for name: associative list may not have non-map types",
    });
  });

  it("ignores inherited members", () => {
    const list = listOf({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["constructor", "name"],
      items: { type: "object", properties: {} },
    });
    expect(itemElement(list, { name: "a" })).toBe('k:{"name":"a"}');
  });

  it("are distinct or not, in short and long lists", () => {
    const many = Array.from({ length: 40 }, (_, index) => `w${index}`);
    expect(distinctElements(words, many)).toHaveLength(40);
    expect(distinctElements(words, [...many, "w7"])).toBeUndefined();
    expect(distinctElements(words, ["a", "b"])).toEqual(['v:"a"', 'v:"b"']);
    expect(distinctElements(words, ["a", "b", "a"])).toBeUndefined();
    expect(distinctElements(words, ["a", null])).toBeUndefined();
  });
});
