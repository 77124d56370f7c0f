import { describe, expect, it } from "vitest";
import { bodyPieces, pieceBytes } from "./body-pieces.ts";

describe("bodyPieces", () => {
  it("yields the whole body", async () => {
    const bytes = new Uint8Array(2 * pieceBytes + 3).map((_, index) => index % 251);
    const pieces: Uint8Array[] = [];
    for await (const piece of bodyPieces(bytes)) pieces.push(piece);
    expect(pieces.map(({ length }) => length)).toEqual([pieceBytes, pieceBytes, 3]);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it("yields nothing for an empty body", async () => {
    for await (const _ of bodyPieces(new Uint8Array())) expect.unreachable();
  });
});
