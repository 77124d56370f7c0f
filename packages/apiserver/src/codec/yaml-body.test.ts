import { describe, expect, it } from "vitest";
import { readYamlBody } from "./yaml-body.ts";

const read = (text: string): ReturnType<typeof readYamlBody> => readYamlBody(text, (message) => new Error(message));

describe("readYamlBody", () => {
  it("reads the first document", () => {
    expect(read("a: 1\n---\n[")).toEqual({ value: { a: 1 }, problems: [] });
    expect(read("")).toEqual({ value: null, problems: [] });
  });
  it("reports duplicate keys with the lines of their values, and keeps the last", () => {
    expect(read("a: 1\na:\n  2\nb: {c: 1, c: 3}\n1: x\n1: z\n")).toEqual({
      value: { a: 2, b: { c: 3 }, "1": "z" },
      problems: [
        'yaml: unmarshal errors:\n  line 3: key "a" already set in map\n  line 4: key "c" already set in map\n  line 6: key 1 already set in map',
      ],
    });
  });
  it.each([
    ["{bad", "yaml: line 1: did not find expected ',' or '}'"],
    ["a: b: c", "yaml: mapping values are not allowed in this context"],
    ["a:\n\t- b", "yaml: line 2: found character that cannot start any token"],
    ["a: b\n- c", "yaml: line 1: did not find expected key"],
    ["a: b\nc", "yaml: line 3: could not find expected ':'"],
    ["a: b\nc: *x", "yaml: unknown anchor 'x' referenced"],
    ["a: -.inf", "json: unsupported value: -Inf"],
    ["a: .nan", "json: unsupported value: NaN"],
  ])("reports what is wrong with %j in Go's words", (text, message) => {
    expect(() => read(text)).toThrow(new Error(message));
  });
});
