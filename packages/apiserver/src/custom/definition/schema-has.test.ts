import { describe, expect, it } from "vitest";
import { schemaHas } from "./schema-has.ts";

describe("schemaHas", () => {
  it.each([
    [{ items: { title: "x" } }],
    [{ items: [{}, { title: "x" }] }],
    [{ allOf: [{ title: "x" }] }],
    [{ anyOf: [{ title: "x" }] }],
    [{ oneOf: [{ title: "x" }] }],
    [{ not: { title: "x" } }],
    [{ properties: { a: { properties: { b: { title: "x" } } } } }],
    [{ additionalProperties: { title: "x" } }],
    [{ patternProperties: { a: { title: "x" } } }],
    [{ additionalItems: { title: "x" } }],
    [{ definitions: { a: { title: "x" } } }],
    [{ dependencies: { a: { title: "x" } } }],
    [{ title: "x" }],
  ])("finds a match inside %j", (schema) => {
    expect(schemaHas(schema, ({ title }) => title === "x")).toBe(true);
    expect(schemaHas(schema, ({ title }) => title === "y")).toBe(false);
  });

  it("ignores members that are not schemas", () => {
    expect(
      schemaHas({ additionalProperties: true, additionalItems: false, dependencies: { a: ["b"] } }, ({ title }) => title === "x"),
    ).toBe(false);
  });
});
