import { describe, expect, it } from "vitest";
import { chunkOf } from "./chunk.ts";

describe("chunkOf", () => {
  it("writes the byte length in hexadecimal and the piece", () => {
    expect(chunkOf("0123456789abcdef").toString()).toBe("10\r\n0123456789abcdef\r\n");
    expect(chunkOf("é€😀").toString()).toBe("9\r\né€😀\r\n");
    expect(chunkOf(Uint8Array.of(0, 255, 13, 10))).toEqual(Buffer.from("4\r\n\0\u00ff\r\n\r\n", "latin1"));
  });

  it("returns an empty buffer for an empty piece, since a chunk of length 0 ends the body", () => {
    expect(chunkOf("")).toEqual(Buffer.alloc(0));
    expect(chunkOf(new Uint8Array())).toEqual(Buffer.alloc(0));
  });
});
