import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { schemaFromZod } from "./schema-from-zod.ts";
import type { ZodSchema } from "./zod-schema.ts";

const said = (schema: ZodSchema): unknown => {
  const converted = schemaFromZod(schema, "spec");
  expect(converted.refusals).toEqual([]);
  return converted.schema;
};
const safe = { type: "integer", format: "int64", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

describe("schemaFromZod, schemas that a server can check", () => {
  // A TypeScript enum after compilation.
  const Size = { small: "S", large: "L" } as const;
  const Level = { 0: "low", 1: "high", low: 0, high: 1 } as const;

  it.each<[string, ZodSchema, unknown]>([
    ["a string", z.string(), { type: "string" }],
    [
      "a string with lengths, of which the narrowest wins",
      z.string().min(1).min(2).max(9).max(7),
      { type: "string", minLength: 2, maxLength: 7 },
    ],
    ["a string of one length", z.string().length(3), { type: "string", minLength: 3, maxLength: 3 }],
    ["a pattern", z.string().regex(/^a\/b$/), { type: "string", pattern: "^a/b$" }],
    ["a case-insensitive pattern", z.string().regex(/^a$/iu), { type: "string", pattern: "(?i)^a$" }],
    ["several patterns", z.string().regex(/^a/).regex(/b$/), { type: "string", pattern: "^a", allOf: [{ pattern: "b$" }] }],
    ["prefix and suffix", z.string().startsWith("a").endsWith("b"), { type: "string", pattern: "^a.*", allOf: [{ pattern: ".*b$" }] }],
    ["a format that is a pattern", z.e164(), { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" }],
    ["a number", z.number().gt(0).lte(1), { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1 }],
    ["an integer", z.int(), safe],
    ["an integer written as number().int()", z.number().int().min(0), { ...safe, minimum: 0 }],
    ["a 32-bit integer", z.int32().max(10), { type: "integer", format: "int32", minimum: -(2 ** 31), maximum: 10 }],
    ["multipleOf", z.number().multipleOf(2).multipleOf(3), { type: "number", multipleOf: 2, allOf: [{ multipleOf: 3 }] }],
    ["a boolean", z.boolean(), { type: "boolean" }],
    ["an enum", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["a TypeScript enum", z.enum(Size), { type: "string", enum: ["S", "L"] }],
    ["a number enum", z.enum(Level), { type: "integer", enum: [0, 1] }],
    ["literals", z.literal(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["a union of literals", z.union([z.literal("a"), z.enum(["b"])]), { type: "string", enum: ["a", "b"] }],
    ["nullable", z.string().nullable(), { type: "string", nullable: true }],
    [
      "a union with null",
      z.union([z.int32(), z.null()]),
      { type: "integer", format: "int32", minimum: -(2 ** 31), maximum: 2 ** 31 - 1, nullable: true },
    ],
    [
      "int-or-string",
      z.union([z.int(), z.string()]),
      { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    ],
    [
      "a union of rules",
      z.union([z.string().max(2), z.string().regex(/^x/)]),
      { type: "string", anyOf: [{ maxLength: 2 }, { pattern: "^x" }] },
    ],
    ["a list", z.array(z.boolean()).nonempty().max(3), { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 3 }],
    ["a map", z.record(z.string(), z.boolean()), { type: "object", additionalProperties: { type: "boolean" } }],
    [
      "a map with known keys",
      z.record(z.enum(["a", "b"]), z.boolean()),
      { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } }, required: ["a", "b"] },
    ],
    ["a map with some known keys", z.partialRecord(z.enum(["a"]), z.boolean()), { type: "object", properties: { a: { type: "boolean" } } }],
    ["unknown", z.unknown(), { "x-kubernetes-preserve-unknown-fields": true }],
    [
      "an object that keeps unknown fields",
      z.looseObject({ a: z.boolean() }),
      { type: "object", properties: { a: { type: "boolean" } }, required: ["a"], "x-kubernetes-preserve-unknown-fields": true },
    ],
    [
      "an intersection of objects",
      z.intersection(z.object({ a: z.boolean() }), z.object({ b: z.boolean().optional() })),
      { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } }, required: ["a"] },
    ],
    ["readonly", z.boolean().readonly(), { type: "boolean" }],
    [
      "descriptions and x-kubernetes keywords",
      z.array(z.boolean()).meta({ description: "flags", "x-kubernetes-list-type": "set", mine: 1 }),
      { type: "array", items: { type: "boolean" }, description: "flags", "x-kubernetes-list-type": "set" },
    ],
    [
      "a check with a CEL rule",
      z
        .string()
        .refine((text) => text !== "a")
        .meta({ "x-kubernetes-validations": [{ rule: "self != 'a'" }] }),
      { type: "string", "x-kubernetes-validations": [{ rule: "self != 'a'" }] },
    ],
    [
      "zod/mini",
      mini.object({ a: mini.optional(mini.string().check(mini.minLength(1))) }),
      { type: "object", properties: { a: { type: "string", minLength: 1 } } },
    ],
  ])("converts %s (§9.34)", (_name, schema, expected) => {
    expect(said(schema)).toEqual(expected);
  });

  it("requires the fields that zod requires, not optional fields or fields with a default", () => {
    expect(
      said(
        z.object({
          image: z.string(),
          host: z.string().optional(),
          note: z.string().nullish(),
          replicas: z.int().default(1),
          size: z.string().prefault("s"),
          sure: z.nonoptional(z.string().optional()),
        }),
      ),
    ).toMatchObject({
      required: ["image", "sure"],
      properties: { replicas: { default: 1 }, size: { default: "s" }, note: { nullable: true } },
    });
  });

  it("merges a discriminated union and forbids the fields of other variants (§9.34)", () => {
    const schema = z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("git"), url: z.string() }),
      z.strictObject({ type: z.literal("oci"), url: z.string(), tag: z.string().optional() }),
    ]);
    expect(said(schema)).toEqual({
      type: "object",
      required: ["type"],
      properties: { type: { type: "string", enum: ["git", "oci"] }, url: { type: "string" }, tag: { type: "string" } },
      anyOf: [
        { properties: { type: { enum: ["git"] } }, required: ["type", "url"], not: { anyOf: [{ required: ["tag"] }] } },
        { properties: { type: { enum: ["oci"] } }, required: ["type", "url"] },
      ],
    });
  });
});

describe("schemaFromZod, schemas that a server cannot check", () => {
  it.each<[string, ZodSchema, string]>([
    ["a date", z.date(), "z.iso.datetime()"],
    ["a bigint", z.bigint(), "z.string() for numbers beyond 2^53"],
    ["a transformation", z.string().transform((text) => text.length), "the conversion in the reconcile"],
    ["trimming", z.string().trim(), "a pattern"],
    ["coercion", z.coerce.number(), "z.number()"],
    ["code", z.string().refine((text) => text.length > 1), "CEL"],
    ["look-ahead", z.string().regex(/^(?!a)/), "look-around"],
    ["a flag", z.string().regex(/a/m), "without it"],
    ["a URL", z.url(), "CEL"],
    ["a tuple", z.tuple([z.string()]), "named fields"],
    ["a map", z.map(z.string(), z.string()), "z.record"],
    ["a set", z.set(z.string()), "x-kubernetes-list-type"],
    ["recursion", z.json(), "z.unknown()"],
    ["a union of shapes", z.union([z.string(), z.object({})]), "optional field"],
    ["objects without a discriminator", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "discriminatedUnion"],
    ["variants that are not strict", z.discriminatedUnion("t", [z.object({ t: z.literal("a") })]), "z.strictObject"],
    ["literals of two types", z.literal(["a", 1]), "one type"],
    ["rules for map keys", z.record(z.string().min(1), z.string()), "CEL"],
    ["a catchall type", z.object({}).catchall(z.string()), "z.record"],
    ["catch()", z.string().catch(""), "default()"],
  ])("rejects %s, and names an alternative (§9.34)", (_name, schema, instead) => {
    const { refusals } = schemaFromZod(z.object({ deep: z.array(z.object({ field: schema })) }), "spec");
    expect(refusals).toEqual([expect.objectContaining({ path: "spec.deep[].field" })]);
    expect(refusals[0]?.instead).toContain(instead);
  });

  it("reports all problems at once", () => {
    expect(schemaFromZod(z.object({ a: z.date(), b: z.record(z.string(), z.bigint()) }), "spec").refusals.map(({ path }) => path)).toEqual([
      "spec.a",
      "spec.b{}",
    ]);
  });
});
