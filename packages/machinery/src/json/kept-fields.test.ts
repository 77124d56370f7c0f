import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { fieldTree } from "./field-tree.ts";
import { keptFields } from "./kept-fields.ts";
import type { JsonObject } from "./json-value.ts";

const kept = (text: string, ...paths: string[]): string => encodeJson(keptFields(decodeJson(text) as JsonObject, fieldTree(paths)));

describe("keptFields", () => {
  it("keeps the declared fields in the object's order, and nothing else", () => {
    expect(kept('{"kind":"Pod","spec":{"nodeName":"n","containers":[1]},"status":{"phase":"Running"}}', "status", "spec.nodeName")).toBe(
      '{"spec":{"nodeName":"n"},"status":{"phase":"Running"}}',
    );
  });

  it("leads a path through lists, also through lists in lists", () => {
    expect(kept('{"a":[{"b":1,"c":2},{"c":3},{"b":4}],"d":[[{"b":1,"c":2}]]}', "a.b", "d.b")).toBe(
      '{"a":[{"b":1},{},{"b":4}],"d":[[{"b":1}]]}',
    );
  });

  it("keeps an object of which nothing is left, as the server keeps an empty one", () => {
    expect(kept('{"spec":{"a":1}}', "spec.b")).toBe('{"spec":{}}');
  });

  it("keeps null and values without fields where a path wants some", () => {
    expect(kept('{"a":null,"b":[1,null,{"c":2,"d":3}],"e":"x"}', "a.x", "b.c", "e.x")).toBe('{"a":null,"b":[1,null,{"c":2}],"e":"x"}');
  });

  it("takes names that objects inherit for fields like any other", () => {
    expect(kept('{"__proto__":{"a":1,"b":2},"constructor":1}', "__proto__.a", "toString")).toBe('{"__proto__":{"a":1}}');
    expect(kept('{"constructor":1,"a":2}', "constructor")).toBe('{"constructor":1}');
  });

  it("shares what it keeps whole, and changes nothing", () => {
    const object = Object.freeze({ spec: Object.freeze({ a: 1 }), other: 1 }) as unknown as JsonObject;
    expect(keptFields(object, fieldTree(["spec"]))["spec"]).toBe(object["spec"]);
  });
});
