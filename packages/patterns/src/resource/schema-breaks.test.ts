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
      "a field that is gone",
      z.object({ a: z.string(), b: z.string() }),
      z.object({ a: z.string() }),
      ["spec.b: is gone; what objects have there would be lost"],
    ],
    ["another type", z.object({ a: z.string() }), z.object({ a: z.int() }), ["spec.a: was string, and now is integer"]],
    [
      "a field that is needed now",
      z.object({}),
      z.object({ a: z.string() }),
      ["spec.a: is required now, and objects may be without it; give it a default"],
    ],
    [
      "narrower bounds",
      z.object({ a: z.int32().max(9) }),
      z.object({ a: z.int32().min(0).max(8) }),
      [`spec.a: has minimum 0, was ${-(2 ** 31)}`, "spec.a: has maximum 8, was 9"],
    ],
    ["shorter text", z.object({ a: z.string() }), z.object({ a: z.string().max(3) }), ["spec.a: has maxLength 3, was without"]],
    ["another pattern", z.object({ a: z.string() }), z.object({ a: z.string().regex(/^a/) }), ["spec.a: must match ^a, had no pattern"]],
    ["a word fewer", z.object({ a: z.enum(["x", "y"]) }), z.object({ a: z.enum(["x"]) }), ['spec.a: no longer takes "y"']],
    ["words where there was text", z.object({ a: z.string() }), z.object({ a: z.enum(["x"]) }), ['spec.a: takes only "x" now']],
    ["null no more", z.object({ a: z.string().nullable() }), z.object({ a: z.string() }), ["spec.a: may no longer be null"]],
    [
      "items and values",
      z.object({ a: z.array(z.string()), b: z.record(z.string(), z.string()) }),
      z.object({ a: z.array(z.int()), b: z.record(z.string(), z.boolean()) }),
      ["spec.a[]: was string, and now is integer", "spec.b{}: was string, and now is boolean"],
    ],
    [
      "a shape where there was none",
      z.object({ a: z.unknown() }),
      z.object({ a: z.string() }),
      ["spec.a: took anything, and now takes string"],
    ],
    [
      "another kind of list",
      z.array(z.string()),
      z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }),
      ["spec: is a list of type set, was atomic"],
    ],
  ])("names %s", (_name, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected);
  });

  it.each<[string, ZodSchema, ZodSchema]>([
    ["nothing", z.object({ a: z.string() }), z.object({ a: z.string() })],
    ["a field more", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().optional(), c: z.int().default(1) })],
    ["wider bounds", z.object({ a: z.string().max(3) }), z.object({ a: z.string().max(4) })],
    ["a word more", z.object({ a: z.enum(["x"]) }), z.object({ a: z.enum(["x", "y"]) })],
    ["broken numbers as well", z.object({ a: z.int() }), z.object({ a: z.number() })],
    ["anything", z.object({ a: z.string() }), z.object({ a: z.unknown() })],
  ])("says nothing of %s", (_name, before, after) => {
    expect(breaks(before, after)).toEqual([]);
  });

  it("reports changes of the whole object and of its fields", () => {
    const object: Schema = { type: "object", "x-kubernetes-list-type": "atomic" };
    expect(schemaBreaks({ type: "string" }, object)).toEqual(["the object: was string, and now is object"]);
  });
});
