import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { fieldTree } from "./field-tree.ts";
import { keptFields } from "./kept-fields.ts";
import type { JsonObject } from "./json-value.ts";
import { JsonProjection } from "./projected-json.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function projected(text: string, paths: readonly string[]): string | undefined {
  // In the middle of other bytes, as in a watch line.
  const bytes = encoder.encode(`[${text}]`);
  const kept = new JsonProjection(fieldTree(paths)).project(bytes, 1, bytes.length - 1);
  return kept === undefined ? undefined : decoder.decode(kept);
}

// Few names, so that paths meet fields.
const name = fc.constantFrom("a", "b", "c", "ab", "é", "__proto__", "1");
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1.5e10, "", "a", '"}],', "\\", "\\u0061", "x".repeat(60)),
  fc.string(),
  fc.integer(),
);
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie("object"), fc.array(tie("value"), { maxLength: 4 })),
  object: fc.dictionary(name, tie("value"), { maxKeys: 5 }),
}));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("."));
const paths = fc.array(path, { maxLength: 5 });

describe("JsonProjection", () => {
  it("gives bytes that decode to what is kept of the whole object", () => {
    fc.assert(
      fc.property(object, paths, (value, declared) => {
        const text = encodeJson(value);
        const kept = projected(text, declared);
        expect(kept).toBeDefined();
        expect(encodeJson(decodeJson(kept ?? ""))).toBe(encodeJson(keptFields(decodeJson(text) as JsonObject, fieldTree(declared))));
      }),
    );
  });

  it("keeps declared fields byte by byte", () => {
    const text = '{"a":{ "x" : 1.50 },"b":"\\u0061","c":[{"d":12345678901234567890,"e":0},{}]}';
    expect(projected(text, ["a", "b", "c.d"])).toBe('{"a":{ "x" : 1.50 },"b":"\\u0061","c":[{"d":12345678901234567890},{}]}');
    expect(projected(text, ["c.e"])).toBe('{"c":[{"e":0},{}]}');
    expect(projected(text, [])).toBe("{}");
  });

  it("keeps duplicates, of which the decoder takes the last", () => {
    expect(projected('{"a":{"b":1,"c":1},"d":1,"a":{"c":2}}', ["a.b"])).toBe('{"a":{"b":1},"a":{}}');
  });

  it.each([
    ["white space before a value", '{"a": 1}'],
    ["white space after a value", '{"a":1 ,"b":2}'],
    ["white space in a list", '{"a":[1, 2]}'],
    ["an escape in a key", '{"\\u0061":1}'],
    ["a missing comma", '{"a":{"b":1}"c":1}'],
    ["a list", "[1]"],
    ["text", '"a"'],
    ["nothing", ""],
    ["an object without an end", '{"a":{"b":1}'],
    ["a second object", '{"a":1}{"a":2}'],
    ["lists in lists, very deep", `{"a":${"[".repeat(500)}${"]".repeat(500)}}`],
  ])("gives up on %s", (_, text) => {
    expect(projected(text, ["a.b", "b"])).toBeUndefined();
  });

  it("never throws, and gives up or gives an object, whatever the bytes are", () => {
    fc.assert(
      fc.property(object, paths, fc.nat(), fc.nat({ max: 255 }), (value, declared, at, byte) => {
        const text = encoder.encode(encodeJson(value));
        // More of the same behind it, into which a broken value may lead.
        const bytes = encoder.encode(`${decoder.decode(text)},"${"a".repeat(3000)}"]}`);
        bytes[at % text.length] = byte;
        const kept = new JsonProjection(fieldTree(declared)).project(bytes, 0, text.length);
        expect(kept === undefined || kept.length <= text.length).toBe(true);
      }),
    );
  });

  it("takes the position of a known value as given, and leaves a part of it out", () => {
    const text = '{"m":{"n":1,"x":[{"y":2}]},"a":3,"b":4}';
    const from = text.indexOf('{"n"');
    const cutFrom = text.indexOf(',"x"');
    const cutTo = text.indexOf("},", cutFrom);
    const known = { from, to: cutTo + 1, cutFrom, cutTo };
    const kept = new JsonProjection(fieldTree(["m", "b"])).project(encoder.encode(text), 0, text.length, known);
    expect(decoder.decode(kept)).toBe('{"m":{"n":1},"b":4}');
    const uncut = { ...known, cutFrom: cutTo };
    expect(decoder.decode(new JsonProjection(fieldTree(["m"])).project(encoder.encode(text), 0, text.length, uncut))).toBe(
      '{"m":{"n":1,"x":[{"y":2}]}}',
    );
  });
});
