/** The body of a response on an HTTP/2 stream. Node reports the end of a lost connection like the end of a body; here they differ. */
import { constants } from "node:http2";
import type { ClientHttp2Stream } from "node:http2";
import type { ByteSource } from "./response-body.ts";

/** Whether a stream that emits `end` has received all of its body: a stream that was reset or lost its session is destroyed by then. */
export const isComplete = ({ destroyed, rstCode }: Pick<ClientHttp2Stream, "destroyed" | "rstCode">): boolean =>
  !destroyed && rstCode === constants.NGHTTP2_NO_ERROR;

/** Guarantees: `end` only after the last byte; otherwise `close` alone, or `error` and `close`. */
export class Http2Body implements ByteSource {
  readonly #stream: ClientHttp2Stream;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
  }

  on(event: "data", listener: (bytes: Uint8Array) => void): this;
  on(event: "end" | "close" | "error", listener: (error?: unknown) => void): this;
  on(event: "data" | "end" | "close" | "error", listener: ((bytes: Uint8Array) => void) & ((error?: unknown) => void)): this {
    this.#stream.on(
      event,
      event === "end"
        ? () => {
            if (isComplete(this.#stream)) listener();
          }
        : listener,
    );
    return this;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
