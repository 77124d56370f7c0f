/**
 * Pieces of bodies as bytes of the wire, once for all who are sent the same. A thousand watchers of a kind get the same
 * line one after the other.
 */
export class LineMemo {
  readonly #encode: (piece: string | Uint8Array) => Uint8Array;
  #text: string | undefined;
  #bytes: Uint8Array = new Uint8Array();

  constructor(encode: (piece: string | Uint8Array) => Uint8Array) {
    this.#encode = encode;
  }

  /** What goes over the wire for a piece; that of the last text is kept. Whoever made bytes may change them, so nothing of them is. */
  bytesOf(piece: string | Uint8Array): Uint8Array {
    if (typeof piece !== "string") return this.#encode(piece);
    if (piece !== this.#text) {
      this.#bytes = this.#encode(piece);
      this.#text = piece;
    }
    return this.#bytes;
  }
}
