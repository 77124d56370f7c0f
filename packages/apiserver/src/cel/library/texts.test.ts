import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL string functions", () => {
  it.each<[text: string, value: unknown]>([
    ["'äbc'.charAt(1)", "b"],
    ["'abcb'.lastIndexOf('b', 2)", 1n],
    ["'abc'.indexOf('c', 9)", -1n],
    ["'aa'.replace('', '-')", "-a-a-"],
    ["'aaa'.replace('a', 'b', 2)", "bba"],
    ["'a,b,c'.split(',', 2)[1]", "b,c"],
    ["'abc'.substring(2, 1)", "invalid substring range. start: 2, end: 1"],
    ["['a', 'b'].join('-')", "a-b"],
    ["strings.quote('a\\nb') == '\"a\\\\nb\"'", true],
    ["' a '.trim() + 'B'.lowerAscii()", "ab"],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
