import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { inOneOrder } from "./one-order.ts";

const refusal = (body: JsonObject): unknown =>
  inOneOrder([{ request: "POST /", status: 422, headers: {}, body: { kind: "Status", ...body } }]);

describe("answers in one order", () => {
  it("are equal whatever the order of a custom object's causes", () => {
    const answer = (...fields: string[]): unknown =>
      refusal({
        message: `W "a" is invalid: [${fields.map((field) => `${field}: bad`).join(", ")}]`,
        details: { group: "fuzz.example.com", causes: fields.map((field) => ({ field })) },
      });
    expect(answer("spec.b", "spec.a")).toEqual(answer("spec.a", "spec.b"));
    expect(answer("spec.a", "spec.b")).not.toEqual(answer("spec.a", "spec.c"));
  });
  it("are equal whatever the order of errors in a configuration", () => {
    const answer = (...problems: string[]): unknown =>
      refusal({ message: `failed to create typed patch object (/a; v1, Kind=Pod): errors:\n${problems.join("\n")}` });
    expect(answer("  .b: x", "  .a: y")).toEqual(answer("  .a: y", "  .b: x"));
    expect(answer("  .b: field not declared in schema", "  .a: y")).toEqual(answer("  .c: field not declared in schema"));
    expect(answer("  .b: x")).not.toEqual(answer("  .c: x"));
  });
  it("hide a patch that the server took apart, and keep the error", () => {
    const answer = (patch: string, why: string): unknown =>
      refusal({ message: ` "" is invalid: patch: Invalid value: "map[${patch}]": ${why}`, details: { causes: [] } });
    expect(answer("a:1", "x")).toEqual(answer("b:1", "x"));
    expect(answer("a:1", "x")).not.toEqual(answer("a:1", "y"));
  });
});
