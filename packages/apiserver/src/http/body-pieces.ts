/** Large bodies in pieces, so that a client that takes one slowly can be told from one that takes nothing. */

/** How large a piece is. */
export const pieceBytes: number = 1024 * 1024;

/** The bytes in order; the last piece may be shorter. */
export async function* bodyPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
