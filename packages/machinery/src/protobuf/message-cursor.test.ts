import { describe, expect, it } from "vitest";
import { MessageCursor, varintBytes } from "./message-cursor.ts";
import { bytesType, fixed32Type, fixed64Type, startGroupType, varintType } from "./wire-type.ts";

const cursor = (...bytes: number[]): MessageCursor => new MessageCursor(Uint8Array.from(bytes), 0, bytes.length);

describe("MessageCursor", () => {
  it("reads tags of one and more bytes, and 0 for none", () => {
    expect([cursor(0x0a).tag(), cursor(0xa2, 0x01).tag(), cursor().tag(), cursor(0xff).tag()]).toEqual([0x0a, 162, 0, 0]);
  });

  it("enters a length only if its bytes are there", () => {
    expect([cursor(2, 0, 0).enter(), cursor(2, 0).enter(), cursor(0xff, 0xff, 0xff, 0xff, 0x7f).enter()]).toEqual([3, -1, -1]);
    expect(cursor(2, 0, 0).enterWithin(2)).toBe(-1);
  });

  it.each([
    ["a number", varintType, [0x80, 1], 2],
    ["eight bytes", fixed64Type, [0, 0, 0, 0, 0, 0, 0, 0], 8],
    ["four bytes", fixed32Type, [0, 0, 0, 0], 4],
    ["bytes with a length", bytesType, [1, 7], 2],
  ] as const)("skips %s that end in time, and no others", (_, type, bytes, end) => {
    const whole = cursor(...bytes);
    expect([whole.skip(type, bytes.length), whole.at]).toEqual([true, end]);
    expect(cursor(...bytes).skip(type, bytes.length - 1)).toBe(false);
  });

  it("does not skip groups", () => {
    expect(cursor(0).skip(startGroupType, 1)).toBe(false);
  });
});

describe("varintBytes", () => {
  it("counts seven bits a byte", () => {
    expect([0, 127, 128, 0x3fff, 0x4000, 0x1f_ffff, 0x20_0000, 0xfff_ffff, 0x1000_0000].map(varintBytes)).toEqual([
      1, 1, 2, 2, 3, 3, 4, 4, 5,
    ]);
  });
});
