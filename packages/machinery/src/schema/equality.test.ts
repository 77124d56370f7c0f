import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "./schema.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { semanticDerivative, semanticEqual } from "./equality.ts";
import { deepCopy, deepFreeze } from "../json/readonly.ts";

const quantity: Schema = { format: "quantity" };
const schema: Schema = {
  type: "object",
  properties: {
    metadata: {
      type: "object",
      default: {},
      properties: {
        labels: { type: "object", additionalProperties: { type: "string" } },
        creationTimestamp: { type: "string", format: "date-time" },
      },
    },
    name: { type: "string", default: "" },
    limits: { type: "object", additionalProperties: quantity },
    emptyDir: { type: "object", properties: { medium: { type: "string" }, sizeLimit: quantity } },
    renewTime: { type: "string", format: "micro-time" },
    args: { type: "array", items: { type: "string" } },
    extra: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
    containers: { type: "array", items: { type: "object", properties: { cpu: quantity } } },
    free: { "x-kubernetes-preserve-unknown-fields": true },
  },
};

describe("semanticEqual without a schema", () => {
  it("treats absent, null, an empty list and an empty object as equal at any depth", () => {
    const same = [{}, { a: null }, { a: [] }, { a: {} }, { a: { b: {} } }, { a: { b: [], c: null } }, null, undefined];
    for (const a of same) for (const b of same) expect(semanticEqual(a, b)).toBe(true);
  });

  it("distinguishes zero values from absent ones", () => {
    for (const value of [0, "", false]) expect(semanticEqual({ a: value }, {})).toBe(false);
  });

  it("considers the order and number of items, not the order of keys", () => {
    expect(semanticEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(semanticEqual([1, 2], [2, 1])).toBe(false);
    expect(semanticEqual([{}], [])).toBe(false);
    expect(semanticEqual([{}], [null])).toBe(true);
  });

  it("does not guess that a text is a quantity or a time", () => {
    expect(semanticEqual({ cpu: "1" }, { cpu: "1000m" })).toBe(false);
  });

  it("treats a bigint and a number of the same value as equal", () => {
    expect(semanticEqual({ a: 2n ** 60n }, { a: 2 ** 60 })).toBe(true);
  });

  it("ignores inherited members", () => {
    for (const key of ["constructor", "toString", "__proto__"]) {
      expect(semanticEqual({}, JSON.parse(`{"${key}":1}`))).toBe(false);
      expect(semanticEqual(JSON.parse(`{"${key}":1}`), { other: 1 })).toBe(false);
      expect(semanticEqual({}, JSON.parse(`{"${key}":{}}`))).toBe(true);
    }
  });
});

describe("semanticEqual with a schema", () => {
  it("compares quantities and times by value", () => {
    expect(semanticEqual({ limits: { cpu: "1", memory: "1Gi" } }, { limits: { cpu: "1000m", memory: "1024Mi" } }, schema)).toBe(true);
    expect(semanticEqual({ limits: { cpu: 1 } }, { limits: { cpu: "1" } }, schema)).toBe(true);
    expect(semanticEqual({ limits: { cpu: "1" } }, { limits: { cpu: "2" } }, schema)).toBe(false);
    expect(
      semanticEqual(
        { metadata: { creationTimestamp: "2026-11-15T13:35:46Z" } },
        { metadata: { creationTimestamp: "2026-11-15T14:35:46+01:00" } },
        schema,
      ),
    ).toBe(true);
    expect(semanticEqual({ renewTime: "2026-11-15T13:35:46.000001Z" }, { renewTime: "2026-11-15T13:35:46.000002Z" }, schema)).toBe(false);
    expect(semanticEqual({ containers: [{ cpu: "0.5" }] }, { containers: [{ cpu: "500m" }] }, schema)).toBe(true);
  });

  it("compares text that is neither quantity nor time as text", () => {
    expect(semanticEqual({ limits: { cpu: "many" } }, { limits: { cpu: "1" } }, schema)).toBe(false);
    expect(semanticEqual({ limits: { cpu: "many" } }, { limits: { cpu: "many" } }, schema)).toBe(true);
    expect(semanticEqual({ renewTime: "soon" }, { renewTime: "now" }, schema)).toBe(false);
    expect(semanticEqual({ limits: { cpu: { a: 1 } } }, { limits: { cpu: "1" } }, schema)).toBe(false);
  });

  it("treats an empty optional object as present", () => {
    expect(semanticEqual({ emptyDir: {} }, {}, schema)).toBe(false);
    expect(semanticEqual({ emptyDir: {} }, { emptyDir: null }, schema)).toBe(false);
    expect(semanticEqual({ metadata: {} }, {}, schema)).toBe(true);
    expect(semanticEqual({ metadata: { labels: {} } }, { metadata: null }, schema)).toBe(true);
  });

  it("treats map entries as present, whatever their value", () => {
    expect(semanticEqual({ extra: { a: [] } }, { extra: {} }, schema)).toBe(false);
    expect(semanticEqual({ extra: {} }, { extra: { a: [] } }, schema)).toBe(false);
    expect(semanticEqual({ extra: { a: [] } }, { extra: { b: [] } }, schema)).toBe(false);
    expect(semanticEqual({ extra: { a: [] } }, { extra: { a: null } }, schema)).toBe(true);
    expect(semanticEqual({ extra: {} }, {}, schema)).toBe(true);
  });

  it("treats absent as the zero value where the schema says so", () => {
    expect(semanticEqual({ name: "" }, {}, schema)).toBe(true);
    expect(semanticEqual({ name: "x" }, {}, schema)).toBe(false);
  });

  it("compares unknown parts as without a schema", () => {
    expect(semanticEqual({ free: { a: {} }, more: [] }, {}, schema)).toBe(true);
  });
});

describe("semanticDerivative", () => {
  it("may leave out parts, and lists may be shorter", () => {
    expect(semanticDerivative({ a: 1, l: ["x"] }, { a: 1, b: 2, l: ["x", "y"] })).toBe(true);
    expect(semanticDerivative({ a: "", b: null, c: [], d: {} }, { a: "x", b: 1, c: [1], d: { e: 1 } })).toBe(true);
    expect(semanticDerivative(undefined, { a: 1 })).toBe(true);
    expect(semanticDerivative({ a: { b: "" } }, {})).toBe(true);
  });

  it("may not differ in what is set", () => {
    expect(semanticDerivative({ a: 1 }, { a: 2 })).toBe(false);
    expect(semanticDerivative({ a: 1 }, {})).toBe(false);
    expect(semanticDerivative({ a: 0 }, { a: 1 })).toBe(false);
    expect(semanticDerivative({ a: false }, {})).toBe(false);
    expect(semanticDerivative({ l: ["x", "y"] }, { l: ["x"] })).toBe(false);
    expect(semanticDerivative({ l: ["x"] }, { l: { 0: "x" } })).toBe(false);
    expect(semanticDerivative({ l: { a: 1 } }, { l: [1] })).toBe(false);
    expect(semanticDerivative({ l: "x" }, { l: ["x"] })).toBe(false);
    expect(semanticDerivative({ constructor: "x" }, {})).toBe(false);
  });

  it("uses the schema like semanticEqual", () => {
    expect(semanticDerivative({ limits: { cpu: "1" } }, { limits: { cpu: "1000m", memory: "1Gi" } }, schema)).toBe(true);
    expect(semanticDerivative({ emptyDir: {} }, {}, schema)).toBe(false);
    expect(semanticDerivative({ emptyDir: {} }, { emptyDir: { medium: "Memory" } }, schema)).toBe(true);
    expect(semanticDerivative({ metadata: { labels: { a: "" } } }, { metadata: { labels: { b: "" } } }, schema)).toBe(false);
    expect(semanticDerivative({ extra: { a: [] } }, {}, schema)).toBe(false);
  });
});

describe("semanticEqual and semanticDerivative for any values", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  /** Values that are likely to be semantically equal. */
  const variant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 0 ? null : value.map(variant);
    if (typeof value !== "object" || value === null) return value;
    return { ...Object.fromEntries(Object.entries(value).map(([key, part]) => [key, variant(part)])), added: { nothing: [] } };
  };

  it("hold for a copy and for differences in emptiness; equality is symmetric and implies derivation", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        deepFreeze(a);
        expect(semanticEqual(a, deepCopy(a))).toBe(true);
        expect(semanticEqual(a, variant(a))).toBe(true);
        expect(semanticEqual(variant(a), a)).toBe(true);
        expect(semanticEqual(a, b)).toBe(semanticEqual(b, a));
        if (jsonEqual(a, b)) expect(semanticEqual(a, b)).toBe(true);
        if (semanticEqual(a, b)) expect(semanticDerivative(a, b)).toBe(true);
        expect(semanticDerivative(a, a)).toBe(true);
      }),
    );
  });

  it("are transitive", () => {
    const small = fc.letrec<{ v: unknown }>((tie) => ({
      v: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, 1),
        fc.array(tie("v"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b"), tie("v"), { maxKeys: 2 }),
      ),
    })).v;
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        if (semanticEqual(a, b) && semanticEqual(b, c)) expect(semanticEqual(a, c)).toBe(true);
      }),
    );
  });
});
