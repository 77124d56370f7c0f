import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

describe("quoted scalars", () => {
  it.each([
    ["'it''s'", "it's"],
    ["'a\n  b\n\n  c'", "a b\nc"],
    ['"a\\tb\\x41\\u00e9\\U0001F600\\/"'.replace("\\/", ""), "a\tbA\u00e9\u{1f600}"],
    ['"a\\\n   b"', "ab"],
    ['"a \\\n\n  b"', "a \nb"],
    ['"  a  "', "  a  "],
    ['"\\0\\a\\b\\e\\f\\n\\r\\v\\N\\_\\L\\P\\ \\"\\\\"', '\0\x07\b\x1b\f\n\r\v\x85\xa0\u2028\u2029 "\\'],
  ])("parse %j", (text, value) => expect(parseYaml(text)).toEqual(value));

  it.each([
    ['"\\q"', "unknown escape"],
    ['"\\xzz"', "hexdecimal"],
    ['"\\ud800"', "invalid Unicode"],
    ['"\\U00110000"', "invalid Unicode"],
    ["'a\n---\nb'", "unexpected document indicator"],
  ])("reject %j", (text, problem) => expect(() => parseYaml(text)).toThrow(problem));
});
