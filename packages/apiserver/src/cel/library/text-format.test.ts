import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL string format", () => {
  it.each<[text: string, value: unknown]>([
    ["'%s %d %.1f'.format(['a', 1, 1234.56])", "a 1 1,234.6"],
    ["'%x %X %b %o'.format(['hi', 255, 5, 8])", "6869 FF 101 10"],
    ["'%s %s'.format([['a', 1.5], {'k': true}])", '["a", 1.500000] {"k":true}'],
    ["'%e'.format([1052.0])", "1.052000×10⁰³"],
    ["'%d'.format([dyn('a')])", "error during formatting: decimal clause can only be used on integers, was given string"],
    ["'%%'.format([])", "%"],
  ])("evaluates %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
