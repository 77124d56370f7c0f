import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import type { DecodeJsonOptions } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { jsonEqual } from "./json-equal.ts";
import { JsonError } from "./json-error.ts";
import { parseJson } from "./json-parser.ts";
import type { JsonValue } from "./json-value.ts";

const duplicatesIn = (text: string): string[] => {
  const paths: string[] = [];
  decodeJson(text, { onDuplicateField: (path) => paths.push(path) });
  return paths;
};

const failure = (text: string | Uint8Array, options?: DecodeJsonOptions): JsonError => {
  try {
    decodeJson(text, options);
  } catch (error) {
    if (error instanceof JsonError) return error;
  }
  throw new Error("was read");
};

describe("decodeJson numbers", () => {
  it.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["1.0", 1],
    ["1e3", 1000],
    ["1.50", 1.5],
    ["1e21", 1e21],
    ["0.1234567890123456789", 0.12345678901234568],
  ])("decodes %s", (text, value) => {
    expect(decodeJson(text)).toBe(value);
    expect(decodeJson(`{"a":[1,${text}]}`)).toEqual({ a: [1, value] });
    expect(parseJson(text, { maxDepth: 10 })).toBe(value);
  });
  it("rounds an integer beyond 64 bits, as the server does", () => {
    expect(decodeJson("12345678901234567890")).toBe(12345678901234567000);
    expect(decodeJson("-9223372036854775809")).toBe(-9223372036854775808);
  });
  it("rejects numbers that no float can hold", () => {
    expect(() => parseJson("1e400", { maxDepth: 1 })).toThrow("cannot unmarshal number 1e400 into Go value of type float64");
    expect(() => decodeJson("1".repeat(400))).toThrow(JsonError);
    expect(failure('{"a":1e400}', { onDuplicateField: () => undefined }).reason).toBe("number");
  });
  it("finds a long number at every position", () => {
    for (let before = 0; before < 40; before++) {
      for (const digits of ["9007199254740993", "123456789012345678", "-123456789012345678"]) {
        const text = `{"${"a".repeat(before)}":${digits},"b":"${"c".repeat(20)}"}`;
        expect(decodeJson(text)).toEqual({ ["a".repeat(before)]: BigInt(digits), b: "c".repeat(20) });
        expect(decodeJson(`[${" ".repeat(before)}${digits}]`)).toEqual([BigInt(digits)]);
      }
    }
  });
  it("ignores long digits in strings", () => {
    const text = JSON.stringify({ id: "12345678901234567890", hash: `a${"1".repeat(64)}`, list: "1:12345678901234567890,2", n: 7 });
    expect(decodeJson(text)).toEqual(JSON.parse(text));
  });
  it("takes time proportional to a long run of digits", () => {
    expect(decodeJson(`"${"1".repeat(3_000_000)}"`)).toHaveLength(3_000_000);
    expect(decodeJson(`["1:${"1".repeat(3_000_000)}"]`)).toHaveLength(1);
  });
});

describe("decodeJson keys", () => {
  it("keeps __proto__ and the like as own keys (X1, S2)", () => {
    for (const read of [decodeJson, (text: string): JsonValue => parseJson(text, { maxDepth: 10 })]) {
      const value = read('{"__proto__":{"polluted":1},"constructor":2,"toString":3,"":4}') as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString", ""]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });
  it("takes the last duplicate key and reports paths as the server prints them", () => {
    const text = '{"a":1,"data":{"a":1,"a":2,"a":3},"list":[{"b":1,"b":2}],"a":4,"__proto__":1,"__proto__":2}';
    expect(decodeJson(text)).toEqual(JSON.parse(text));
    expect(duplicatesIn(text)).toEqual(["data.a", "list[0].b", "a", "__proto__"]);
  });
  it("reports at most a hundred duplicates", () => {
    const text = `{${Array.from({ length: 150 }, (_, index) => `"k${index}":1,"k${index}":2`).join()}}`;
    expect(duplicatesIn(text)).toHaveLength(100);
  });
});

describe("decodeJson limits", () => {
  it("rejects too many levels, whatever the text looks like (X4, S6)", () => {
    const nested = (levels: number): string[] => [
      "[".repeat(levels) + "]".repeat(levels),
      `${'{"":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`,
      `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`,
      `{"metadata":${'{"filler":"[{{{","x":'.repeat(levels - 1)}1${"}".repeat(levels - 1)}}`,
      `[${'"long string without any brackets",'.repeat(500)}${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}]`,
    ];
    for (const text of nested(1000)) expect(() => decodeJson(text)).not.toThrow();
    for (const text of nested(1002)) {
      const error = failure(text);
      expect(error.reason).toBe("depth");
      expect(error.detail).toMatch(/^invalid character '[[{]' exceeded max depth$/);
    }
    expect(failure("[".repeat(1_000_000) + "]".repeat(1_000_000)).reason).toBe("depth");
    expect(failure("[[[]]]", { maxDepth: 2 }).reason).toBe("depth");
    expect(decodeJson("[[[]]]", { maxDepth: 3 })).toEqual([[[]]]);
  });
  it("agrees with the exact parser about every limit", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.nat(8), (text, maxDepth) => {
        const outcome = (read: () => unknown): string => {
          try {
            return encodeJson(read());
          } catch (error) {
            return String(error);
          }
        };
        expect(outcome(() => decodeJson(text, { maxDepth }))).toBe(outcome(() => parseJson(text, { maxDepth })));
      }),
    );
  });
  it("counts the bytes of the text", () => {
    expect(decodeJson('"é"', { maxBytes: 4 })).toBe("é");
    expect(failure('"é"', { maxBytes: 3 }).detail).toBe("Request entity too large: limit is 3");
    expect(failure(new TextEncoder().encode('"é"'), { maxBytes: 3 }).reason).toBe("size");
  });
});

describe("decodeJson bytes", () => {
  it("decodes UTF-8 and rejects anything else (X32)", () => {
    expect(decodeJson(new TextEncoder().encode('{"a":"𝒳é"}'))).toEqual({ a: "𝒳é" });
    expect(failure(Uint8Array.of(0x22, 0xff, 0x22)).reason).toBe("encoding");
    expect(failure(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)).detail).toBe("invalid character 'ï' looking for beginning of value");
  });
  it("keeps a lone surrogate", () => expect(decodeJson(String.raw`"\ud800"`)).toBe("\ud800"));
});

describe("decodeJson errors", () => {
  it.each([
    ["", "unexpected end of JSON input", 1, 1],
    ["{", "unexpected end of JSON input", 1, 2],
    ['{"a"', "unexpected end of JSON input", 1, 5],
    ["{\n  a: 1}", "invalid character 'a' looking for beginning of object key string", 2, 3],
    ['{"a" 1}', "invalid character '1' after object key", 1, 6],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair", 1, 8],
    ["[1 2]", "invalid character '2' after array element", 1, 4],
    ["[1,]", "invalid character ']' looking for beginning of value", 1, 4],
    ["01", "invalid character '1' after top-level value", 1, 2],
    ["-", "invalid character ' ' in numeric literal", 1, 2],
    ["-x", "invalid character 'x' in numeric literal", 1, 2],
    ["1.x", "invalid character 'x' after decimal point in numeric literal", 1, 3],
    ["1ex", "invalid character 'x' in exponent of numeric literal", 1, 3],
    ["trux", "invalid character 'x' in literal true (expecting 'e')", 1, 4],
    ["nul", "invalid character ' ' in literal null (expecting 'l')", 1, 4],
    ['"\u0001"', String.raw`invalid character '\x01' in string literal`, 1, 2],
    [String.raw`"\x"`, "invalid character 'x' in string escape code", 1, 3],
    [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`, 1, 6],
    ["'a'", String.raw`invalid character '\'' looking for beginning of value`, 1, 1],
    ["é", "invalid character 'Ã' looking for beginning of value", 1, 1],
  ])("says of %j: %s", (text, detail, line, column) => {
    const error = failure(text);
    expect({ detail: error.detail, line: error.position?.line, column: error.position?.column }).toEqual({ detail, line, column });
    expect(error.message).toContain(`(line ${line}, column ${column}, offset `);
  });
});

/** With every bigint rounded to the float that JSON.parse would have made of it. */
const rounded = (value: unknown): unknown => JSON.parse(encodeJson(value));

const isWritable = (value: unknown): boolean => {
  try {
    encodeJson(value);
    return true;
  } catch {
    return false;
  }
};

describe("decodeJson of any text", () => {
  const json = fc.json({ maxDepth: 5 });
  it("agrees with the exact parser", () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(rounded(parseJson(text, { maxDepth: 100 }))).toEqual(rounded(JSON.parse(text)));
      }),
    );
  });
  it("rejects broken text exactly when the exact parser does", () => {
    const broken = fc.tuple(
      json,
      fc.nat(),
      fc.constantFrom("", "{", "}", "[", "]", ",", ":", '"', "\\", "1", "-", ".", "e", "\0", " ", "\ud800"),
      fc.nat(2),
    );
    fc.assert(
      fc.property(broken, ([text, place, piece, removed]) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + piece + text.slice(at + removed);
        let expected: unknown;
        try {
          expected = JSON.parse(changed);
        } catch {
          expect(() => decodeJson(changed)).toThrow(JsonError);
          return;
        }
        if (!isWritable(expected)) {
          // The one difference: a number beyond all floats is Infinity to the engine, which encodeJson then refuses.
          expect(() => parseJson(changed, { maxDepth: 100 })).toThrow(/cannot unmarshal number/);
          return;
        }
        expect(rounded(parseJson(changed, { maxDepth: 100 }))).toEqual(rounded(expected));
        expect(jsonEqual(decodeJson(changed), parseJson(changed, { maxDepth: 100 }))).toBe(true);
      }),
    );
  });
});
