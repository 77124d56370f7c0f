import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL quantity functions", () => {
  it.each<[text: string, value: unknown]>([
    ["quantity('1k').add(1).asInteger()", 1001n],
    ["quantity('1.5').asInteger()", "cannot convert value to integer"],
    ["quantity('1Gi').compareTo(quantity('1G'))", 1n],
    ["isQuantity('1x')", false],
    ["sign(quantity('-1'))", -1n],
    ["quantity('9223372036854775808').isInteger()", false],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
