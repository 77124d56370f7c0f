import { describe, expect, it } from "vitest";
import { LineMemo } from "./line-memo.ts";

describe("LineMemo", () => {
  it("encodes the same line once for many watchers", () => {
    let encoded = 0;
    const memo = new LineMemo((piece) => {
      encoded++;
      return Buffer.from(piece);
    });
    const first = memo.bytesOf("line\n");
    expect(memo.bytesOf("line\n")).toBe(first);
    expect(encoded).toBe(1);
    expect(new TextDecoder().decode(memo.bytesOf("other\n"))).toBe("other\n");
    expect(new TextDecoder().decode(memo.bytesOf("line\n"))).toBe("line\n");
    expect(memo.bytesOf("")).toEqual(Buffer.alloc(0));
    expect(encoded).toBe(4);
  });

  it("does not cache bytes, which may change", () => {
    const memo = new LineMemo((piece) => Buffer.from(piece));
    const bytes = Uint8Array.of(1);
    expect(memo.bytesOf(bytes)).toEqual(Buffer.of(1));
    bytes[0] = 2;
    expect(memo.bytesOf(bytes)).toEqual(Buffer.of(2));
  });
});
