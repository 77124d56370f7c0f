import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL regular expressions", () => {
  it.each<[text: string, value: unknown]>([
    ["'abc'.matches('b')", true],
    ["'a1b22'.findAll('[0-9]+') == ['1', '22']", true],
    ["'aaa'.findAll('^a').size()", 1n],
    ["'abc'.findAll('x*').size()", 4n],
    ["'abc'.find('(') == ''", "Illegal regex: error parsing regexp: missing closing ): `(`"],
    ["'a'.matches(dyn('('))", "error parsing regexp: missing closing ): `(`"],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
