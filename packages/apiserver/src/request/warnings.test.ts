import { describe, expect, it } from "vitest";
import { Warnings } from "./warnings.ts";

const headersOf = (...texts: readonly string[]): string[] => {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers();
};

describe("Warnings", () => {
  it("emits each warning once, in order, quoted", () => {
    expect(headersOf('unknown field "a"', "b", 'unknown field "a"', "")).toEqual(['299 - "unknown field \\"a\\""', '299 - "b"']);
  });
  it("truncates warnings beyond the total size", () => {
    const headers = headersOf(...Array.from({ length: 100 }, (_, n) => `${n} ${"x".repeat(1000)}`));
    expect(headers).toHaveLength(16);
    expect(headers.every((header) => header.length === 256 + '299 - ""'.length)).toBe(true);
  });
  it("keeps no more of 100,000 warnings than can be sent", () => {
    const some = Array.from({ length: 1000 }, (_, n) => `${n}`);
    const warnings = new Warnings();
    for (const text of some) warnings.add(text);
    const before = warnings.headers();
    for (let n = 1000; n < 100_000; n++) warnings.add(`${n}`);
    expect(warnings.headers()).toEqual(before);
    expect(before).toHaveLength(456);
  });
  it("replaces line breaks, so that a warning cannot inject headers (X7)", () => {
    expect(headersOf("a\r\nset-cookie: b")).toEqual(['299 - "a  set-cookie: b"']);
  });
});
