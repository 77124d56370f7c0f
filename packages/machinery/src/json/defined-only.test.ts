import { describe, expect, expectTypeOf, it } from "vitest";
import { definedOnly } from "./defined-only.ts";
import type { AllMembers } from "./defined-only.ts";

interface Options {
  readonly name: string;
  readonly limit?: number;
}

describe("definedOnly", () => {
  it("leaves out members that are undefined and keeps other empty values", () => {
    expect(Object.entries(definedOnly({ a: "", b: undefined, c: false, d: null }))).toEqual([
      ["a", ""],
      ["c", false],
      ["d", null],
    ]);
  });

  it("copies a key named __proto__ as a key", () => {
    const members = JSON.parse('{"__proto__":1}') as object;
    expect(Object.entries(definedOnly(members))).toEqual([["__proto__", 1]]);
  });

  it("makes members that may be undefined optional under exactOptionalPropertyTypes and keeps the others required", () => {
    const limit = [5].at(1);
    const options: Options = definedOnly({ name: "web", limit });
    expect(options).toEqual({ name: "web" });
    expectTypeOf(definedOnly({ name: "web", limit })).toEqualTypeOf<{ name: string } & { limit?: number }>();
    // @ts-expect-error -- a name that may be undefined is no name
    const broken: Options = definedOnly({ name: ["web"].at(1), limit: 1 });
    expect(broken).toEqual({ limit: 1 });
  });

  it("rejects a literal that forgets a member with AllMembers", () => {
    expect(definedOnly({ name: "web", limit: undefined } satisfies AllMembers<Options>)).toEqual({ name: "web" });
    // @ts-expect-error -- limit is missing
    expect(definedOnly({ name: "web" } satisfies AllMembers<Options>)).toEqual({ name: "web" });
  });
});
