/** Reads request bodies into memory, up to a limit. */
import type { HttpRequest } from "@drover/machinery";
import { largeBytes } from "../request/pause.ts";
import { oversizedBody } from "./oversized-body.ts";
import { RoundRobin } from "./round-robin.ts";

/** A body this many times over the limit is cut off instead of being discarded. */
const discardFactor = 16;

/** How much of a large body is read in one turn when several arrive. */
const readBytes = 256 * 1024;

export interface BodyReaderOptions {
  readonly bytesMax: number;
  /** Calls back in the next turn of the event loop; `setImmediate`. */
  readonly nextTurn: (callback: () => void) => void;
}

/** A readable stream of Node: the message of HTTP/1.1, or the stream of HTTP/2. */
export interface BodySource {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

export interface ReadBodyOptions {
  /** Value of content-length; 0 without one. */
  readonly declaredBytes: number;
  /** Stops the client from sending more. */
  readonly cut: () => void;
}

/** Guarantees: of several large bodies that arrive at once, one is read in each turn, because decryption takes time too. */
export class BodyReader {
  readonly #bytesMax: number;
  readonly #reads: RoundRobin;
  #largeReads = 0;

  constructor({ bytesMax, nextTurn }: BodyReaderOptions) {
    this.#bytesMax = bytesMax;
    this.#reads = new RoundRobin(nextTurn);
  }

  /**
   * Resolves with the bytes, with a body that throws a 413 when it is read, or with undefined for no bytes. Rejects if the source
   * closes first.
   */
  async read(source: BodySource, { declaredBytes, cut }: ReadBodyOptions): Promise<HttpRequest["body"]> {
    const bytesMax = this.#bytesMax;
    let tooLarge = declaredBytes > bytesMax;
    let length = 0;
    const chunks: Buffer[] = [];
    let counted = false;
    let pauseAt = 0;
    await new Promise<void>((resolve, reject) => {
      source.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > largeBytes && !counted && !tooLarge) {
          counted = true;
          this.#largeReads++;
        }
        if (counted && this.#largeReads > 1 && length >= pauseAt) {
          pauseAt = length + readBytes;
          source.pause();
          this.#reads.add(() => source.resume());
        }
        if (length > bytesMax) tooLarge = true;
        if (length > bytesMax * discardFactor) cut();
        if (tooLarge) resolve();
        else chunks.push(chunk);
      });
      source.on("end", () => resolve());
      source.on("error", reject);
      source.on("close", () => reject(new Error("connection closed before the end of the body")));
      if (tooLarge) resolve();
    }).finally(() => {
      if (counted) this.#largeReads--;
      counted = false;
    });
    if (tooLarge) return oversizedBody(bytesMax);
    if (length === 0) return undefined;
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length);
  }
}
