import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { JsonValue } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import type { Schema } from "./schema.ts";
import { blocksRules, validate, validateValue } from "./validate.ts";

const texts = (schema: Schema, value: JsonValue, old?: JsonValue): string[] =>
  validate(value, compileSchema(schema), { old }).map(printFieldError);
const spec = (schema: Schema): Schema => ({ type: "object", properties: { spec: { type: "object", properties: { a: schema } } } });
const at = (schema: Schema, value: JsonValue): string[] => texts(spec(schema), { spec: { a: value } });

describe("validate", () => {
  it("names the found and the expected type", () => {
    expect(at({ type: "integer" }, "x")).toEqual(['spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"']);
    expect(at({ type: "string" }, null)).toEqual(['spec.a: Invalid value: "null": spec.a in body must be of type string: "null"']);
    expect(at({ "x-kubernetes-int-or-string": true }, true)).toEqual([
      'spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"',
    ]);
  });

  it("reports both type and range for a fraction instead of an integer", () => {
    expect(at({ type: "integer" }, 2.5)).toEqual([
      'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.a',
    ]);
    expect(at({ type: "integer", format: "int32" }, 2 ** 31)).toEqual([
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.a',
    ]);
    expect(at({ type: "integer" }, 2n ** 63n - 1n)).toEqual([]);
    expect(at({ type: "integer", maximum: 5 }, 2n ** 63n - 1n)).toEqual([
      "spec.a: Invalid value: 9223372036854775807: spec.a in body should be less than or equal to 5",
    ]);
  });

  it("counts code points, not units", () => {
    expect(at({ type: "string", maxLength: 2 }, "😀😀")).toEqual([]);
    expect(at({ type: "string", maxLength: 1 }, "😀😀")).toEqual(["spec.a: Too long: may not be more than 1 byte"]);
    expect(at({ type: "string", minLength: 3 }, "😀😀")).toEqual([
      'spec.a: Invalid value: "😀😀": spec.a in body should be at least 3 chars long',
    ]);
  });

  it("reports the first of length and pattern, and the format too", () => {
    expect(at({ type: "string", maxLength: 1, pattern: "^b", format: "date" }, "aa")).toEqual([
      "spec.a: Too long: may not be more than 1 byte",
      'spec.a: Invalid value: "aa": spec.a in body must be of type date: "aa"',
    ]);
    expect(at({ type: "string", pattern: "(" }, "a")).toEqual([
      "spec.a: Invalid value: \"a\": spec.a in body should match '(, but pattern is invalid: error parsing regexp: missing closing ): `(`'",
    ]);
  });

  it("lists the values of an enum", () => {
    expect(at({ type: "string", enum: ["a", "b"] }, "z")).toEqual(['spec.a: Unsupported value: "z": supported values: "a", "b"']);
    expect(at({ enum: [{ x: 1 }], nullable: true }, null)).toEqual(['spec.a: Unsupported value: null: supported values: "{\\"x\\":1}"']);
  });

  it("reports missing, too many and too few", () => {
    expect(texts({ type: "object", required: ["spec"] }, {})).toEqual(["spec: Required value"]);
    expect(at({ type: "array", maxItems: 1 }, [1, 2])).toEqual(["spec.a: Too many: 2: must have at most 1 item"]);
    expect(at({ type: "array", minItems: 3 }, [1])).toEqual(["spec.a: Invalid value: 1: spec.a in body should have at least 3 items"]);
    expect(at({ type: "array", uniqueItems: true }, [{ a: 1 }, { a: 1 }])).toEqual([
      'spec.a: Invalid value: "": spec.a in body shouldn\'t contain duplicates',
    ]);
    expect(at({ type: "object", minProperties: 1 }, {})).toEqual([
      "spec.a: Invalid value: 0: spec.a in body should have at least 1 properties",
    ]);
    expect(at({ type: "object", additionalProperties: false }, { x: 1 })).toEqual([
      'spec.a: Invalid value: "x": spec.a.x in body is a forbidden property',
    ]);
  });

  it("starts fields with the path of the value, which its text omits", () => {
    const schema = compileSchema({ type: "object", required: ["b"], properties: { a: { type: "string" } } });
    expect(validateValue({ a: 5 }, schema, { path: "status" }).map(printFieldError)).toEqual([
      'status.a: Invalid value: "integer": a in body must be of type string: "integer"',
      "status.b: Required value",
    ]);
  });

  it("reports an error once, however many branches find it", () => {
    expect(at({ type: "integer", allOf: [{ minimum: 5 }, { minimum: 5 }] }, 1)).toEqual([
      "spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 5",
      '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
    ]);
  });
});

describe("validate with alternatives", () => {
  it("reports the errors of the closest branch", () => {
    const schema: Schema = {
      type: "object",
      anyOf: [{ required: ["x"] }, { properties: { y: { type: "integer", minimum: 5 } }, required: ["y"] }],
    };
    expect(at(schema, { y: 3 })).toEqual([
      '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
      "spec.a.y: Invalid value: 3: spec.a.y in body should be greater than or equal to 5",
    ]);
  });

  it("requires exactly one match for oneOf", () => {
    const schema: Schema = { type: "integer", oneOf: [{ minimum: 5 }, { minimum: 3 }] };
    expect(at(schema, 4)).toEqual([]);
    expect(at(schema, 7)).toEqual([
      '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    expect(at(schema, 1)[0]).toBe('<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid');
  });

  it("requires no match for not", () => {
    expect(at({ type: "string", not: { pattern: "^a" } }, "a")).toEqual([
      '<nil>: Invalid value: "": "spec.a" must not validate the schema (not)',
    ]);
    expect(at({ type: "string", not: { pattern: "^a" } }, "b")).toEqual([]);
  });
});

describe("validate on updates", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      a: { type: "integer", maximum: 5 },
      kind: { type: "string", maxLength: 1 },
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, n: { type: "integer", maximum: 5 } } },
      },
      atomic: { type: "array", items: { type: "integer", maximum: 5 } },
      all: {
        type: "object",
        properties: { x: { type: "integer" }, y: { type: "integer" } },
        allOf: [{ properties: { x: { maximum: 5 } } }],
      },
    },
  };

  it("ignores errors in unchanged parts", () => {
    expect(texts(schema, { a: 7, atomic: [7] }, { a: 7, atomic: [7], list: [] })).toEqual([]);
    expect(texts(schema, { a: 8 }, { a: 7 })).toHaveLength(1);
    expect(texts(schema, { atomic: [7, 1] }, { atomic: [7, 2] })).toHaveLength(1);
  });

  it("finds items of a map list by their keys", () => {
    expect(texts(schema, { list: [{ k: "new" }, { k: "a", n: 9 }] }, { list: [{ k: "a", n: 9 }] })).toEqual([]);
    expect(texts(schema, { list: [{ k: "b", n: 9 }] }, { list: [{ k: "a", n: 9 }] })).toHaveLength(1);
  });

  it("always checks type fields, and everything in allOf unless the whole is unchanged", () => {
    expect(texts(schema, { kind: "ab" }, { kind: "ab", a: 1 })).toHaveLength(1);
    expect(texts(schema, { all: { x: 7, y: 2 } }, { all: { x: 7, y: 1 } })).toHaveLength(2);
    expect(texts(schema, { all: { x: 7, y: 1 } }, { all: { x: 7, y: 1 }, a: 1 })).toEqual([]);
  });
});

describe("blocksRules", () => {
  it("is true after errors of type, presence, enum or size", () => {
    const errors = (schema: Schema, value: JsonValue): boolean => blocksRules(validate(value, compileSchema(schema)));
    expect(errors({ type: "string" }, 5)).toBe(true);
    expect(errors({ type: "object", required: ["a"] }, {})).toBe(true);
    expect(errors({ enum: [1] }, 2)).toBe(true);
    expect(errors({ maxLength: 1 }, "ab")).toBe(true);
    expect(errors({ maxItems: 1 }, [1, 2])).toBe(true);
    expect(errors({ maximum: 1 }, 2)).toBe(false);
    expect(errors({}, 2)).toBe(false);
  });
});

describe("validate with hostile input", () => {
  it("walks great depth and width in reasonable time", () => {
    const tree: { type: string; additionalProperties?: Schema } = { type: "object" };
    tree.additionalProperties = tree;
    let deep: JsonValue = 5;
    for (let depth = 0; depth < 1000; depth++) deep = { a: deep };
    expect(validate(deep, compileSchema(tree))).toHaveLength(1);
    const wide = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
    expect(
      validate(
        { l: wide },
        compileSchema({
          type: "object",
          properties: { l: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } } },
        }),
      ),
    ).toHaveLength(20_000);
  });
});
