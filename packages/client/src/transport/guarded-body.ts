/**
 * Bodies in wrappers: complete ones pass unchanged, streams are guarded until their end.
 */
import type { HttpBody } from "@drover/machinery";

type StreamedBody = Exclude<HttpBody, string | Uint8Array>;

/** Reports whether the whole body is available, or there is none; a stream can be read, and sent, only once. */
export function isWhole(body: HttpBody | undefined): body is string | Uint8Array | undefined {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

export interface GuardedBodyOptions {
  /** Maps a failure to the error the reader sees. */
  readonly failed: (error: unknown) => unknown;
  /** Called when the body has ended: read completely, failed, or dropped. @default no callback */
  readonly over?: () => void;
}

/** Returns the same bytes with mapped errors. */
export function guardedBody(body: StreamedBody, { failed, over = () => undefined }: GuardedBodyOptions): StreamedBody {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const result = await iterator.next();
            if (result.done === true) over();
            return result;
          } catch (error) {
            over();
            throw failed(error);
          }
        },
        return: async () => {
          over();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
