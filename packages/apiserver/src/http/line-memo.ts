/** Caches the encoded form of the last piece: a thousand watchers of a kind receive the same line in a row. */
export class LineMemo {
  readonly #encode: (piece: string | Uint8Array) => Uint8Array;
  #text: string | undefined;
  #bytes: Uint8Array = new Uint8Array();

  constructor(encode: (piece: string | Uint8Array) => Uint8Array) {
    this.#encode = encode;
  }

  /** Returns the encoded piece. Only text is cached, because the producer of bytes may change them. */
  bytesOf(piece: string | Uint8Array): Uint8Array {
    if (typeof piece !== "string") return this.#encode(piece);
    if (piece !== this.#text) {
      this.#bytes = this.#encode(piece);
      this.#text = piece;
    }
    return this.#bytes;
  }
}
