import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { JsonError } from "./json-error.ts";
import type { JsonValue } from "./json-value.ts";

const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const { value: jsonValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    int64,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "")), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));

describe("encodeJson", () => {
  it("encodes what decodeJson decodes back", () => {
    fc.assert(
      fc.property(jsonValue, fc.record({ escapeHtml: fc.boolean(), sortKeys: fc.boolean() }), (value, options) => {
        const again = decodeJson(encodeJson(value, options));
        // A float that is a whole number beyond 2^53 comes back as a bigint of the same value.
        expect(encodeJson(again, { sortKeys: true })).toBe(encodeJson(value, { sortKeys: true }));
      }),
    );
  });
  it("writes bigints with all digits, at any depth", () => {
    expect(encodeJson({ a: [9223372036854775807n, { b: -9223372036854775808n }], c: undefined, d: "x" })).toBe(
      '{"a":[9223372036854775807,{"b":-9223372036854775808}],"d":"x"}',
    );
  });
  it("omits undefined members, and nothing else", () => {
    expect(encodeJson({ a: undefined, b: null, c: [] })).toBe('{"b":null,"c":[]}');
  });
  it("keeps dangerous keys", () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toJSON":"text"}';
    expect(encodeJson(decodeJson(text))).toBe(text);
    expect(encodeJson(decodeJson(text), { sortKeys: true })).toBe(text);
  });
  it("escapes like Go on request", () => {
    expect(encodeJson("<a>&\u2028\u2029\u007f\b", { escapeHtml: true })).toBe('"\\u003ca\\u003e\\u0026\\u2028\\u2029\u007f\\b"');
    expect(encodeJson("<a>&")).toBe('"<a>&"');
  });
  it("sorts keys by bytes", () => {
    expect(encodeJson({ b: 1, "\uffff": 2, "\u{10000}": 3, a: { d: 1, c: 2 }, 10: 1, 9: 1 }, { sortKeys: true })).toBe(
      '{"10":1,"9":1,"a":{"c":2,"d":1},"b":1,"\uffff":2,"\u{10000}":3}',
    );
  });
  it.each<[unknown, string]>([
    [undefined, "cannot write the value as JSON: it is undefined"],
    [{ spec: { replicas: Number.NaN } }, "cannot write spec.replicas as JSON: it is NaN"],
    [{ a: [1, Infinity] }, "cannot write a[1] as JSON: it is Infinity"],
    [{ a: [undefined] }, "cannot write a[0] as JSON: it is undefined"],
    // eslint-disable-next-line no-sparse-arrays
    [Array.from({ length: 2 }), "cannot write [0] as JSON: it is undefined"],
    [{ a: { b: () => 1 } }, "cannot write a.b as JSON: it is a function"],
    [{ a: Symbol("x") }, "cannot write a as JSON: it is a symbol"],
    [{ when: { toJSON: () => "now" } }, "cannot write when as JSON: it has a toJSON method; make it a plain value first"],
  ])("rejects %o", (value, message) => {
    expect(() => encodeJson(value)).toThrow(new JsonError("value", message));
  });
  it("sorts keys below and beside containers whose keys are in order already", () => {
    const value = { a: { a: 1, b: [{ a: 1 }, { b: 1, a: { c: 1, d: 1n } }] }, b: { z: "x" }, c: { z: 1, y: [{ b: "q", a: undefined }] } };
    expect(encodeJson(value, { sortKeys: true })).toBe(
      '{"a":{"a":1,"b":[{"a":1},{"a":{"c":1,"d":1},"b":1}]},"b":{"z":"x"},"c":{"y":[{"b":"q"}],"z":1}}',
    );
    expect(encodeJson(value)).toBe('{"a":{"a":1,"b":[{"a":1},{"b":1,"a":{"c":1,"d":1}}]},"b":{"z":"x"},"c":{"z":1,"y":[{"b":"q"}]}}');
  });

  it("rejects circular and too deep values", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(() => encodeJson(loop)).toThrow(/nested too deeply, or circular$/);
    expect(() => encodeJson([[[]]], { maxDepth: 2 })).toThrow("cannot write [0][0] as JSON");
    expect(encodeJson([[[]]], { maxDepth: 3 })).toBe("[[[]]]");
  });
  it("ignores inherited members", () => {
    expect(encodeJson(Object.create({ inherited: () => 1 }, { own: { value: 1, enumerable: true } }))).toBe('{"own":1}');
  });
});
