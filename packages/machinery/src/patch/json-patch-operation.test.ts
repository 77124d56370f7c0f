import { describe, expect, it } from "vitest";

import type { JsonValue } from "../json/json-value.ts";
import { JsonPatchError, parseJsonPatch } from "./json-patch-operation.ts";

describe("parseJsonPatch", () => {
  it("returns the operations as sent", () => {
    const patch: JsonValue = [{ op: "add", path: "/a", value: 1 }, { op: "zap" }, { op: "remove", path: null }];
    expect(parseJsonPatch(patch)).toEqual({ operations: patch, unknownFields: [] });
  });

  it("accepts null as an empty patch, and null in the list as an empty operation", () => {
    expect(parseJsonPatch(null).operations).toEqual([]);
    expect(parseJsonPatch([null]).operations).toEqual([{}]);
  });

  it("names unknown members with their position, case-sensitively", () => {
    expect(
      parseJsonPatch([
        { op: "test", path: "" },
        { Op: "add", 'a"b': 1, ["__proto__"]: 2 },
      ]).unknownFields,
    ).toEqual(['json patch unknown field "[1].Op"', 'json patch unknown field "[1].a\\"b"', 'json patch unknown field "[1].__proto__"']);
  });

  it.each<[JsonValue, string, number | undefined]>([
    [{}, "object into Go value of type []handlers.jsonPatchOp", undefined],
    ["x", "string into Go value of type []handlers.jsonPatchOp", undefined],
    [[{ op: "add" }, 5n], "number into Go value of type handlers.jsonPatchOp", 1],
    [[{ op: "add", path: true }], "bool into Go struct field jsonPatchOp.path of type string", 0],
    [[{ op: "move", from: [] }], "array into Go struct field jsonPatchOp.from of type string", 0],
  ])("rejects %o in the server's words", (patch, text, index) => {
    const error = failure(() => parseJsonPatch(patch));
    expect(error.message).toBe(`error decoding patch: json: cannot unmarshal ${text}`);
    expect([error.reason, error.index]).toEqual(["malformed", index]);
  });
});

function failure(run: () => unknown): JsonPatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonPatchError) return error;
  }
  throw new Error("did not fail");
}
