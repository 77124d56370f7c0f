import { describe, expect, it } from "vitest";

import { decodeFieldSet } from "./fields-v1.ts";
import { PathElementError } from "./path-element.ts";

describe("decodeFieldSet", () => {
  it("returns a server's FieldsV1 itself", () => {
    const fields = {
      "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
      "f:spec": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:x": {} } },
    };
    expect(decodeFieldSet(fields)).toBe(fields);
  });

  it("canonicalizes anything else", () => {
    const fields = { "f:b": {}, "f:a": { "f:y": null, 'k:{ "n": 1 }': {}, ".": {} } };
    expect(JSON.stringify(decodeFieldSet(fields))).toBe('{"f:a":{".":{},"f:y":{},"k:{\\"n\\":1}":{}},"f:b":{}}');
    expect(decodeFieldSet({ "f:a": { ".": {} } })).toEqual({ "f:a": {} });
  });

  it("has no member at the root, and is empty for nothing", () => {
    expect(decodeFieldSet({ ".": {}, "f:a": {} })).toEqual({ "f:a": {} });
    for (const nothing of [undefined, null, {}, { ".": {} }]) expect(decodeFieldSet(nothing)).toEqual({});
  });

  it("drops elements of unknown types; a node with only those is a member", () => {
    expect(decodeFieldSet({ "z:new": {}, "f:a": { "z:new": {} } })).toEqual({ "f:a": {} });
  });

  it("throws for what no server has written", () => {
    for (const fields of [1, "x", [], { a: {} }, { "f:a": 1 }, { "f:a": [] }, { "v:{": {} }])
      expect(() => decodeFieldSet(fields)).toThrow(PathElementError);
  });
});
