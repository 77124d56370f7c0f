import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL url functions", () => {
  it.each<[text: string, value: unknown]>([
    ["url('https://u@h:8/p%20q?a=1&a=2#f').getHost()", "h:8"],
    ["url('https://[::1]:8/').getHostname()", "::1"],
    ["url('http://h/p q').getEscapedPath()", "/p%20q"],
    ["url('http://h/?a=%20&b').getQuery() == {'a': [' '], 'b': ['']}", true],
    ["url('x')", 'URL parse error during conversion from string: parse "x": invalid URI for request'],
    ["isURL('/p')", true],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
