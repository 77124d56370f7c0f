import type { PrintedSchema } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TypeNames } from "./type-names.ts";

const leaf: PrintedSchema = { type: "string" };
const object = (properties: Readonly<Record<string, PrintedSchema>>): PrintedSchema => ({ type: "object", properties });

describe("TypeNames", () => {
  it("follow the path through lists and maps", () => {
    const names = new TypeNames();
    const schema = object({
      metadata: object({ a: leaf }),
      spec: object({
        ports: { type: "array", items: object({ a: leaf }) },
        routes: { type: "object", additionalProperties: { type: "array", items: object({ "x-y": object({ b: leaf }) }) } },
        plain: leaf,
      }),
    });
    expect(names.nameParts({ name: names.give("web-app"), schema }).map(([name]) => name)).toEqual([
      "WebAppSpec",
      "WebAppSpecPorts",
      "WebAppSpecRoutes",
      "WebAppSpecRoutesXY",
    ]);
    expect([names.of(schema), names.of(leaf)]).toEqual(["WebApp", undefined]);
  });

  it("are unique, and a shared part has one name", () => {
    const names = new TypeNames();
    const shared = object({ a: leaf });
    expect([names.give("A"), names.give("a"), names.give("A2"), names.give("*/"), names.give("1")]).toEqual([
      "A",
      "A2",
      "A22",
      "Type",
      "Type1",
    ]);
    expect(names.nameParts({ name: "A", schema: object({ x: shared, y: shared }) }).map(([name]) => name)).toEqual(["AX"]);
  });

  it("are distinct identifiers for any input", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "A", "1", "-", "_", "*", "\n", "ä", "\ud800"), maxLength: 3 }), { maxLength: 8 }),
        (wishes) => {
          const names = new TypeNames();
          const given = wishes.map((wish) => names.give(wish));
          expect([new Set(given).size, given.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))]).toEqual([wishes.length, []]);
        },
      ),
    );
  });
});
