/**
 * A watch, as a loop over its events.
 *
 *     for await (const event of watchStream<Pod>(transport, request, about, { clock, signal })) …
 *
 * What the server says inside the stream is a value: an ERROR event, 410 included, is yielded like any other, its object a `Status`, and
 * the stream then ends. What happens to the stream is thrown. A line that broke off is a `WatchFrameError` with `truncated`: everything
 * before it is good, and whoever watches goes on from the last version. A close in good order, as after `timeoutSeconds`, is the end.
 *
 * Bookmarks are yielded too. After `sendInitialEvents` one of them ends the present state: `isInitialEventsEnd`.
 */
import { ApiError, WatchFrameError, decodeWatchEvent, newInternalError, parseStatus } from "@drover/machinery";
import type { DecodeJsonOptions, HttpRequest, KubeObject, Transport, WatchEvent } from "@drover/machinery";
import type { RequestAbout } from "./response-error.ts";
import { watchLines } from "./watch-lines.ts";
import type { WatchLinesOptions } from "./watch-lines.ts";

/** How a watch is read. */
export interface WatchStreamOptions extends WatchLinesOptions, Pick<DecodeJsonOptions, "dropManagedFields"> {}

/**
 * Sends a watch request and hands out its events. The request says what to watch and how: `watch=true`, `allowWatchBookmarks`,
 * `sendInitialEvents`, `timeoutSeconds` and so on stand in its query.
 *
 * Guarantees what `watchLines` guarantees; and no event is lost, doubled or changed by where the stream is cut. Throws
 * what it throws, and a
 * `WatchFrameError` at a line that is no event: the stream is corrupt then, and nothing of it is skipped.
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
      // First the lines: they may be waiting for the server, and the events with them.
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
    if (!(error instanceof WatchFrameError)) throw error;
    const detail = error.message.slice(error.message.indexOf(": ") + 2);
    throw new WatchFrameError(`${attempt}: ${detail}`, { truncated: error.truncated, cause: error });
  }
}

/** The error that an ERROR event stands for, to be asked with `isExpired` and the others. */
export function watchEventError(event: Extract<WatchEvent<unknown>, { readonly type: "ERROR" }>, { attempt }: RequestAbout): ApiError {
  return new ApiError(event.object, { attempt });
}
