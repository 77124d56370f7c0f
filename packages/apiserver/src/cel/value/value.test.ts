import { describe, expect, it } from "vitest";
import { failure } from "./failure.ts";
import { duration, isOfType, itemsOf, kindOf, listOf, none, typeName, uint } from "./value.ts";
import { intType, optionalType } from "../check/cel-type.ts";

describe("CEL values", () => {
  it("have a kind and a type name", () => {
    expect([null, true, 1n, 1, "a", new Uint8Array(), uint(1n), duration(1n), listOf([]), none].map(kindOf)).toEqual([
      "null",
      "bool",
      "int",
      "double",
      "string",
      "bytes",
      "uint",
      "duration",
      "list",
      "opaque",
    ]);
    expect([null, duration(1n), none].map(typeName)).toEqual(["null_type", "google.protobuf.Duration", "optional_type"]);
    expect([isOfType(1n, intType), isOfType(1, intType), isOfType(none, optionalType(intType))]).toEqual([true, false, true]);
  });

  it("itemsOf returns the first failure in a list", () => {
    expect(itemsOf({ kind: "list", flavour: "plain", size: 2, at: (index) => (index === 0 ? 1n : failure("x")) })).toEqual(failure("x"));
  });
});
