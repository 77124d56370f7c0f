/** A piece of a body whose length nobody knows beforehand, as it goes over the wire. */

/**
 * The piece with its length in front, in one buffer that any number of connections can be given. Of nothing there is no
 * chunk: that would be the end.
 */
export function chunkOf(piece: string | Uint8Array): Buffer {
  const length = typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  if (length === 0) return Buffer.alloc(0);
  const head = `${length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(head.length + length + 2);
  chunk.write(head, "latin1");
  if (typeof piece === "string") chunk.write(piece, head.length);
  else chunk.set(piece, head.length);
  chunk.write("\r\n", head.length + length, "latin1");
  return chunk;
}
