/** Bodies on their way through wrappers: whole ones pass, streams are looked after until their end. */
import type { HttpBody } from "@drover/machinery";

type StreamedBody = Exclude<HttpBody, string | Uint8Array>;

/** Whether all of a body is there already, none included; a stream can be read, and sent, only once. */
export function isWhole(body: HttpBody | undefined): body is string | Uint8Array | undefined {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

export interface GuardedBodyOptions {
  /** Makes of a failure what the reader sees. */
  readonly failed: (error: unknown) => unknown;
  /** Called when the body is over: read to its end, failed, or dropped. @default nobody is told */
  readonly over?: () => void;
}

/** The same bytes, with other errors. */
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
