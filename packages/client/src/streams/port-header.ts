/** The first two bytes of each channel of a forwarded port are the port itself, low byte first; the server writes them. */
import { StreamError } from "./stream-error.ts";

const headerBytes = 2;

/** Cuts the header off a channel, wherever the messages are cut. */
export class PortHeader {
  readonly #port: number;
  #read = 0;
  #value = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** What of these bytes comes after the header. Throws a `StreamError` when the header names another port. */
  cut(bytes: Uint8Array): Uint8Array {
    let place = 0;
    for (; this.#read < headerBytes && place < bytes.length; place++, this.#read++) this.#value |= (bytes[place] ?? 0) << (8 * this.#read);
    if (place > 0 && this.#read === headerBytes && this.#value !== this.#port)
      throw new StreamError("protocol", `the server opened port ${this.#value} instead of ${this.#port}`);
    return place === 0 ? bytes : bytes.subarray(place);
  }
}
