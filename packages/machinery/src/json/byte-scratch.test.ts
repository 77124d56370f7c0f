import { describe, expect, it } from "vitest";
import { ByteScratch } from "./byte-scratch.ts";

const source = Uint8Array.from({ length: 200 }, (_, index) => index);

describe("ByteScratch", () => {
  it("joins short and long copies and single bytes", () => {
    const scratch = new ByteScratch();
    scratch.begin(300);
    scratch.copy(source, 1, 3);
    scratch.byte(255);
    scratch.copy(source, 10, 110);
    expect(scratch.length).toBe(103);
    expect(scratch.result()).toEqual(Uint8Array.from([1, 2, 255, ...source.subarray(10, 110)]));
  });

  it("moves what follows an insertion", () => {
    const scratch = new ByteScratch();
    scratch.begin(10);
    scratch.copy(source, 0, 4);
    scratch.insert(1, 2);
    scratch.set(1, 100);
    scratch.set(2, 101);
    expect(scratch.result()).toEqual(Uint8Array.of(0, 100, 101, 1, 2, 3));
  });

  it("uses its memory again, except for that of a very large result", () => {
    const scratch = new ByteScratch();
    const memory = (max: number): ArrayBufferLike => {
      scratch.begin(max);
      return scratch.result().buffer;
    };
    const small = memory(100);
    expect(memory(100)).toBe(small);
    expect(memory(500_000).byteLength).toBe(500_000);
    expect(memory(100).byteLength).toBeLessThanOrEqual(256 * 1024);
  });
});
