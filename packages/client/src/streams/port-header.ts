/**
 * The server starts each channel of a forwarded port with two bytes: the port, low byte first.
 */
import { StreamError } from "./stream-error.ts";

const headerBytes = 2;

/** Removes the header from a channel, for any message boundaries. */
export class PortHeader {
  readonly #port: number;
  #read = 0;
  #value = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Returns the bytes after the header. Throws a `StreamError` if the header has another port. */
  cut(bytes: Uint8Array): Uint8Array {
    let place = 0;
    for (; this.#read < headerBytes && place < bytes.length; place++, this.#read++) this.#value |= (bytes[place] ?? 0) << (8 * this.#read);
    if (place > 0 && this.#read === headerBytes && this.#value !== this.#port)
      throw new StreamError("protocol", `the server opened port ${this.#value} instead of ${this.#port}`);
    return place === 0 ? bytes : bytes.subarray(place);
  }
}
