import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { duplicateName, invalidName, invalidStruct, structText, unsupportedName } from "./named-text.ts";

describe("errors about values of named Go types", () => {
  it("print strings as JSON with HTML escaped", () => {
    expect([unsupportedName("a", "<", ["b"]), invalidName("a", "<", "no"), duplicateName("a", "<")].map(printFieldError)).toEqual([
      'a: Unsupported value: "\\u003c": supported values: "b"',
      'a: Invalid value: "\\u003c": no',
      'a: Duplicate value: "\\u003c"',
    ]);
  });

  it("print structs in field order", () => {
    expect(structText({ B: [{ D: null, C: "x" }], A: 1 })).toBe('{"B":[{"D":null,"C":"x"}],"A":1}');
    expect(printFieldError(invalidStruct("a", { B: "", A: 0 }, "no"))).toBe('a: Invalid value: {"B":"","A":0}: no');
  });
});
