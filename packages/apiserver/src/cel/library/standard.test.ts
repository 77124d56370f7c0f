import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL standard functions", () => {
  it.each<[text: string, value: unknown]>([
    ["1 + 2", 3n],
    ["9223372036854775807 + 1", "integer overflow"],
    ["1 / 0", "division by zero"],
    ["-5 % 3", -2n],
    ["2u - 3u", "unsigned integer overflow"],
    ["1 < 1.5 && 2u > 1", true],
    ["[1, 2][2]", "index out of bounds: 2"],
    ["{'a': 1}['b']", "no such key: b"],
    ["'a' in {'a': 1} && 2 in [1, 2]", true],
    ["size('ä😀')", 2n],
    ["int('x')", "type conversion error from 'string' to 'int'"],
    ["type(1) == int && type([]) == list", true],
    ["dyn(1) + 'a'", "no such overload"],
    ["dyn(true) + 1", "no such overload: _+_"],
    ["duration('1h') > duration('59m')", true],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
