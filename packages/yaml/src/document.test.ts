import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

const failure = (text: string): string => {
  try {
    return `no error, but ${JSON.stringify(parseYaml(text))}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("documentToJson", () => {
  it("merges mappings, the later of two keys winning, and copies aliases", () => {
    const merged = parseYaml(
      "base: &b {x: 1, z: 2}\none: {<<: *b, x: 9}\ntwo: {x: 9, <<: *b}\nboth: {<<: [{x: 7}, *b]}\ncopy: *b",
    ) as Record<string, Record<string, number>>;
    expect(merged).toMatchObject({ one: { x: 9, z: 2 }, two: { x: 1, z: 2 }, both: { x: 7, z: 2 }, copy: { x: 1, z: 2 } });
    expect(merged["copy"]).not.toBe(merged["base"]);
    expect(failure("<<: 1")).toBe("yaml: line 1, column 5: map merge requires map or sequence of maps as the value");
  });

  it("converts keys to text, and rejects those that cannot be", () => {
    expect(parseYaml("{no: a, 1: b, 1.5: c, 0x10: d, 1e6: e, y: f, .inf: g, 0.1: h, 1.23456789: i}")).toEqual({
      false: "a",
      true: "f",
      1: "b",
      1.5: "c",
      16: "d",
      "1e+06": "e",
      ".inf": "g",
      0.1: "h",
      1.2345679: "i",
    });
  });

  it("names key, line and column of a duplicate key", () => {
    expect(failure("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n")).toBe('yaml: line 5, column 3: key "c" already set in map, on line 3');
    expect(failure('{1: a, "1": b}')).toContain('key "1" already set');
    expect(failure("~: 1")).toBe("yaml: line 1, column 1: null cannot be a key; put it in quotes if you mean text");
    expect(failure("18446744073709551615: 1")).toContain("cannot be a key");
    expect(failure("? [a]\n: b")).toContain("a sequence cannot be a key");
  });

  it("treats keys that are special in JavaScript like any other", () => {
    const value = parseYaml("__proto__: {polluted: 1}\nconstructor: 2\n'': 3") as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", ""]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
