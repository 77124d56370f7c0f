import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonCursor } from "./json-cursor.ts";

/** Reads the next value through the cursor alone. */
function read(cursor: JsonCursor): unknown {
  switch (cursor.peek()) {
    case "object": {
      const entries: [string, unknown][] = [];
      cursor.members((key) => entries.push([key, read(cursor)]));
      return Object.fromEntries(entries);
    }
    case "array": {
      const items: unknown[] = [];
      cursor.items((index) => (items[index] = read(cursor)));
      return items;
    }
    case "string":
      return cursor.string();
    case "number":
    case "bool":
    case "null":
    default:
      return JSON.parse(cursor.raw()) as unknown;
  }
}

describe("JsonCursor", () => {
  it("returns values as they are written", () => {
    const pieces: [string, string][] = [];
    const cursor = new JsonCursor(' { "a" : 1.50 , "b":[ 1, {"c":"]}"} ] ,"d\\n":"x\\"y","e":{},"f":[],"g":null}');
    cursor.members((key) => pieces.push([key, cursor.raw()]));
    expect(pieces).toEqual([
      ["a", "1.50"],
      ["b", '[ 1, {"c":"]}"} ]'],
      ["d\n", '"x\\"y"'],
      ["e", "{}"],
      ["f", "[]"],
      ["g", "null"],
    ]);
  });
  it("reads lone surrogates as U+FFFD", () => {
    expect(new JsonCursor(String.raw`"\ud800x\udc00\ud83d\ude00"`).string()).toBe("\ufffdx\ufffd\u{1f600}");
  });
  it("reads whatever JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, pretty) => {
        const value = JSON.parse(text) as unknown;
        expect(read(new JsonCursor(pretty ? JSON.stringify(value, undefined, "\t") : text))).toEqual(value);
      }),
      { numRuns: (fc.readConfigureGlobal()?.numRuns ?? 200) / 2 },
    );
  });
});
