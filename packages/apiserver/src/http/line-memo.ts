/** Text to bytes, once for all who are sent the same. A thousand watchers of a kind get the same line one after the other. */
export class LineMemo {
  readonly #encode: (text: string) => Uint8Array;
  #text: string | undefined;
  #bytes: Uint8Array = new Uint8Array();

  constructor(encode: (text: string) => Uint8Array) {
    this.#encode = encode;
  }

  /** The bytes of a text; those of the last text are kept. Bytes stay as they are. */
  bytesOf(chunk: string | Uint8Array): Uint8Array {
    if (typeof chunk !== "string") return chunk;
    if (chunk !== this.#text) {
      this.#bytes = this.#encode(chunk);
      this.#text = chunk;
    }
    return this.#bytes;
  }
}
