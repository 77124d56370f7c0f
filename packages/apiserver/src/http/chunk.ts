/** Chunked transfer encoding. */

/**
 * Returns a chunk in one buffer, which many connections can share. An empty piece yields an empty buffer, because an empty chunk
 * ends the body.
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
