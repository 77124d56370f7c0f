import { describe, expect, it } from "vitest";
import { printFields, typeText } from "./schema-type.ts";
import type { PrintedSchema, TypeScope } from "./schema-type.ts";

const scope: TypeScope = { named: ({ $ref }) => $ref, machinery: (name) => name };
const type = (schema: PrintedSchema): string => typeText(schema, scope);

describe("typeText", () => {
  it.each<[string, PrintedSchema]>([
    ["string", { type: "string" }],
    ["Time", { type: "string", format: "date-time" }],
    ["number", { type: "integer", format: "int32" }],
    ["Int64", { type: "integer", format: "int64" }],
    ["number", { type: "number", format: "double" }],
    ["boolean", { type: "boolean" }],
    ["IntOrString", { "x-kubernetes-int-or-string": true }],
    ["Part", { $ref: "Part" }],
    ["unknown", {}],
    ["unknown", { "x-kubernetes-preserve-unknown-fields": true }],
    ["unknown[]", { type: "array" }],
    ["string[]", { type: "array", items: { type: "string" } }],
    ['("a" | 1 | true | null)[]', { type: "array", items: { enum: ["a", 1, true, null] } }],
    ["string | null", { type: "string", nullable: true }],
    ['"a" | null', { enum: ["a", null], nullable: true }],
    ["Record<string, never>", { type: "object" }],
    ["Record<string, unknown>", { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
    ["Record<string, unknown>", { type: "object", additionalProperties: true }],
    ["Record<string, number | null>", { type: "object", additionalProperties: { type: "number", nullable: true } }],
    ["{ a?: string; b: number; }", { type: "object", required: ["b"], properties: { b: { type: "number" }, a: { type: "string" } } }],
    ["unknown", { type: "something new" }],
  ])("prints %s for %j", (text, schema) => {
    expect(type(schema)).toBe(text);
  });

  it("quotes the values of an enum", () => {
    expect(type({ enum: ['"; process.exit(1); //', "`${x}`", "*/", "\u2028"] })).toBe(
      '"\\"; process.exit(1); //" | "`${x}`" | "*/" | "\u2028"',
    );
    expect(() => type({ enum: [[]] })).toThrow("which is not a scalar");
  });

  it("writes records as the scope says", () => {
    expect(
      typeText(
        { type: "object", additionalProperties: { type: "string" } },
        { ...scope, record: (values) => `{ [key: string]: ${values} }` },
      ),
    ).toBe("{ [key: string]: string }");
  });
});

describe("printFields", () => {
  it("sorts fields, with descriptions, optional unless required", () => {
    expect(
      printFields(
        [
          ["b", { type: "string" }],
          ["a-b", { type: "string", description: "One." }],
        ],
        ["b"],
        scope,
      ),
    ).toBe('  /** One. */\n  "a-b"?: string;\n  b: string;\n');
  });

  it("makes fields with a default present for readers", () => {
    const fields = [["a", { type: "string", default: "x" }]] as const;
    expect(printFields(fields, [], scope)).toBe("  a?: string;\n");
    expect(printFields(fields, [], { ...scope, defaults: "present" })).toBe("  a: string;\n");
  });

  it("wraps a long union, and keeps a text that looks like one whole", () => {
    const words = Array.from({ length: 12 }, (_, index) => `word ${index} | "quoted" | and \\ more`);
    const printed = printFields([["a", { enum: words }]], [], scope);
    const lines = printed.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.slice(1).every((line) => line.startsWith("    | "))).toBe(true);
    for (const word of words) expect(printed).toContain(JSON.stringify(word));
    for (const line of lines) expect(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")).not.toContain('"');
  });
});
