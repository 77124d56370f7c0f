/**
 * A watch, as a loop over its events.
 *
 *     for await (const event of watchStream<Pod>(transport, request, about, { clock, signal })) …
 *
 * What the server sends in the stream is a value: an ERROR event, also 410, is yielded with a `Status` as its object, and
 * ends the stream. Failures of the stream itself are thrown. A truncated line is a `WatchFrameError` with `truncated`: all
 * events before it are valid, and the caller resumes from the last version. A clean close, as after `timeoutSeconds`, ends
 * the loop.
 *
 * Bookmarks are yielded too. With `sendInitialEvents`, one of them ends the initial state: `isInitialEventsEnd`.
 */
import { ApiError, WatchFrameError, decodeWatchEvent, isWatchFrameError, newInternalError, parseStatus } from "@drover/machinery";
import type { DecodeJsonOptions, HttpRequest, KubeObject, Transport, WatchEvent } from "@drover/machinery";
import type { RequestAbout } from "./response-error.ts";
import { watchLines } from "./watch-lines.ts";
import type { WatchLinesOptions } from "./watch-lines.ts";

/** Options for reading a watch. */
export interface WatchStreamOptions extends WatchLinesOptions, Pick<DecodeJsonOptions, "dropManagedFields"> {}

/**
 * Sends a watch request and yields its events. The query of the request has the options: `watch=true`,
 * `allowWatchBookmarks`, `sendInitialEvents`, `timeoutSeconds` and so on.
 *
 * Guarantees what `watchLines` guarantees, and that chunk boundaries never lose, duplicate or change an event. Throws what
 * `watchLines` throws, and a `WatchFrameError` for a line that is not an event: the stream is then corrupt, and no line is
 * skipped.
 */
export function watchStream<T = KubeObject>(
  transport: Transport,
  request: HttpRequest,
  about: RequestAbout,
  options: WatchStreamOptions,
): AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  const lines = watchLines(transport, request, about, options);
  const events = decodeLines<T>(lines, about, options);
  return {
    next: () => events.next(),
    return: async () => {
      // Close the lines first: they may be waiting for the server, and the events wait for them.
      await lines.return?.();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* decodeLines<T>(
  lines: AsyncIterable<string>,
  about: RequestAbout,
  { dropManagedFields = false }: WatchStreamOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  for await (const line of lines) {
    const event = decoded<T>(line, about, dropManagedFields);
    if (event.type === "ERROR") {
      yield { type: "ERROR", object: parseStatus(event.object) ?? newInternalError("the server sent an ERROR event without a Status") };
      return;
    }
    yield event;
  }
}

function decoded<T>(line: string, { attempt }: RequestAbout, dropManagedFields: boolean): WatchEvent<T> {
  try {
    return decodeWatchEvent<T>(line, { dropManagedFields });
  } catch (error) {
    if (!isWatchFrameError(error)) throw error;
    const detail = error.message.slice(error.message.indexOf(": ") + 2);
    throw new WatchFrameError(`${attempt}: ${detail}`, { truncated: error.truncated, cause: error });
  }
}

/** Returns the error of an ERROR event, for `isExpired` and other predicates. */
export function watchEventError(event: Extract<WatchEvent<unknown>, { readonly type: "ERROR" }>, { attempt }: RequestAbout): ApiError {
  return new ApiError(event.object, { attempt });
}
