import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL string format", () => {
  it.each<[text: string, value: unknown]>([
    ["'%s %d %.1f'.format(['a', 1, 1234.56])", "a 1 1,234.6"],
    ["'%x %X %b %o'.format(['hi', 255, 5, 8])", "6869 FF 101 10"],
    ["'%s %s'.format([['a', 1.5], {'k': true}])", '["a", 1.500000] {"k":true}'],
    ["'%e'.format([1052.0])", "1.052000×10⁰³"],
    ["'%e %e %e'.format([-0.0, 1000000.5, 1000001.5])", "0.000000×10⁰⁰ 1.000000×10⁰⁶ 1.000002×10⁰⁶"],
    ["'%e %e'.format([-1000000.5, 1.0000005])", "-1.000000×10⁰⁶ 1.000001×10⁰⁰"],
    ["'%.15e'.format([1.5])", "  1.500000×10⁰⁰"],
    ["'%.0f %f %.2f'.format([2.5, -0.0, -1e22])", "2 0.000000 -10,000,000,000,000,000,000,000.00"],
    ["'%.260f %.256f'.format([0.5, 1e3])", "0.5000 1,000"],
    ["'%s'.format([[1e21, -0.0, 0.0078125]])", "[1000000000000000000000.000000, -0.000000, 0.007812]"],
    ["'%s'.format([{1.5: 1}])", "error during formatting: no formatting function for map key of type double"],
    ["'%d'.format([dyn('a')])", "error during formatting: decimal clause can only be used on integers, was given string"],
    ["'%%'.format([])", "%"],
  ])("evaluates %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
