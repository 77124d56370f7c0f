import { describe, expect, it } from "vitest";
import { LineMemo } from "./line-memo.ts";

describe("the memo of lines", () => {
  it("encodes the same line once, however many are sent it", () => {
    let encoded = 0;
    const memo = new LineMemo((text) => {
      encoded++;
      return new TextEncoder().encode(text);
    });
    const first = memo.bytesOf("line\n");
    expect(memo.bytesOf("line\n")).toBe(first);
    expect(encoded).toBe(1);
    expect(new TextDecoder().decode(memo.bytesOf("other\n"))).toBe("other\n");
    expect(new TextDecoder().decode(memo.bytesOf("line\n"))).toBe("line\n");
    expect(memo.bytesOf("")).toEqual(new Uint8Array());
    expect(encoded).toBe(4);
  });

  it("leaves bytes alone", () => {
    const bytes = Uint8Array.of(1);
    expect(new LineMemo(() => new Uint8Array()).bytesOf(bytes)).toBe(bytes);
  });
});
