import type { Schema } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaFromZod } from "../schema/schema-from-zod.ts";
import type { ZodSchema } from "../schema/zod-schema.ts";
import { schemaBreaks } from "./schema-breaks.ts";

const breaks = (before: ZodSchema, after: ZodSchema): readonly string[] =>
  schemaBreaks(schemaFromZod(before, "").schema, schemaFromZod(after, "").schema, "spec");

describe("schemaBreaks", () => {
  it.each<[string, ZodSchema, ZodSchema, string[]]>([
    [
      "a removed field",
      z.object({ a: z.string(), b: z.string() }),
      z.object({ a: z.string() }),
      ["spec.b: was removed; its data in stored objects would be lost"],
    ],
    ["another type", z.object({ a: z.string() }), z.object({ a: z.int() }), ["spec.a: was string, now integer"]],
    [
      "a newly required field",
      z.object({}),
      z.object({ a: z.string() }),
      ["spec.a: is now required, but stored objects may lack it; give it a default"],
    ],
    [
      "narrower bounds",
      z.object({ a: z.int32().max(9) }),
      z.object({ a: z.int32().min(0).max(8) }),
      [`spec.a: has minimum 0, was ${-(2 ** 31)}`, "spec.a: has maximum 8, was 9"],
    ],
    [
      "a shorter maximum length",
      z.object({ a: z.string() }),
      z.object({ a: z.string().max(3) }),
      ["spec.a: has maxLength 3, was unlimited"],
    ],
    ["another pattern", z.object({ a: z.string() }), z.object({ a: z.string().regex(/^a/) }), ["spec.a: must match ^a, had no pattern"]],
    ["a removed enum value", z.object({ a: z.enum(["x", "y"]) }), z.object({ a: z.enum(["x"]) }), ['spec.a: no longer accepts "y"']],
    ["an enum instead of any string", z.object({ a: z.string() }), z.object({ a: z.enum(["x"]) }), ['spec.a: now accepts only "x"']],
    [
      "null that is no longer allowed",
      z.object({ a: z.string().nullable() }),
      z.object({ a: z.string() }),
      ["spec.a: can no longer be null"],
    ],
    [
      "items and values",
      z.object({ a: z.array(z.string()), b: z.record(z.string(), z.string()) }),
      z.object({ a: z.array(z.int()), b: z.record(z.string(), z.boolean()) }),
      ["spec.a[]: was string, now integer", "spec.b{}: was string, now boolean"],
    ],
    [
      "a schema instead of any value",
      z.object({ a: z.unknown() }),
      z.object({ a: z.string() }),
      ["spec.a: accepted anything, now accepts string"],
    ],
    [
      "another list type",
      z.array(z.string()),
      z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }),
      ["spec: is a list of type set, was atomic"],
    ],
  ])("reports %s", (_name, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected);
  });

  it.each<[string, ZodSchema, ZodSchema]>([
    ["an equal schema", z.object({ a: z.string() }), z.object({ a: z.string() })],
    ["a new optional field", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().optional(), c: z.int().default(1) })],
    ["wider bounds", z.object({ a: z.string().max(3) }), z.object({ a: z.string().max(4) })],
    ["a new enum value", z.object({ a: z.enum(["x"]) }), z.object({ a: z.enum(["x", "y"]) })],
    ["number instead of integer", z.object({ a: z.int() }), z.object({ a: z.number() })],
    ["any value instead of a string", z.object({ a: z.string() }), z.object({ a: z.unknown() })],
  ])("accepts %s", (_name, before, after) => {
    expect(breaks(before, after)).toEqual([]);
  });

  it("reports changes of the whole object and of its fields", () => {
    const object: Schema = { type: "object", "x-kubernetes-list-type": "atomic" };
    expect(schemaBreaks({ type: "string" }, object)).toEqual(["the object: was string, now object"]);
  });
});
