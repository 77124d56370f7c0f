import { describe, expect, it } from "vitest";
import { printYaml } from "./print.ts";

describe("scalarText", () => {
  it.each([
    ["true", '"true"'], ["y", '"y"'], ["null", '"null"'], ["~", '"~"'], ["1", '"1"'], ["0x1F", '"0x1F"'], ["1_000", '"1_000"'], [".inf", '".inf"'], ["2001-01-01", '"2001-01-01"'], ["12:30", '"12:30"'],
    ["1e3", '"1e3"'], ["-", "'-'"], ["- a", "'- a'"], ["a: b", "'a: b'"], ["a #b", "'a #b'"], ["a#b", "a#b"], ["a:b", "a:b"], ["#a", "'#a'"], ["*a", "'*a'"], ["it's", "it's"], ["'a", "'''a'"], ['"a', `'"a'`],
    [" a", "' a'"], ["a ", "'a '"], ["---", "'---'"], ["a\tb", '"a\\tb"'], ["\u0001\u0085", '"\\x01\\N"'], ["é中", "é中"], ["\u{1f600}", '"\\U0001F600"'], ["a\n", "|\n  a"], ["a\nb", "|-\n  a\n  b"], ["a\n\n", "|+\n  a\n"],
    [" a\nb", "|2-\n   a\n  b"], ["a \nb", '"a \\nb"'], ["<<", "<<"],
  ])("writes the string %j as %s", (text, printed) => expect(printYaml(text)).toBe(`${printed}\n`));
});
