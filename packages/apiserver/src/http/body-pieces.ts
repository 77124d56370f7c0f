/** Splits large bodies, to tell a slow client from one that reads nothing. */

/** Size of a piece. */
export const pieceBytes: number = 1024 * 1024;

/** Yields the bytes in order; the last piece may be shorter. */
export async function* bodyPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
