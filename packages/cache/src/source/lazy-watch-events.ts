/**
 * Reads the lines of a watch that came together.
 *
 *     LineBatch → readWatchEvents → LazyWatchEvent[]
 *
 * A line that is whole and still cannot be read is one object's misfortune: it is told as POISON, and the stream goes on. A line that broke
 * off, or is no event at all, is thrown: the stream cannot be trusted from there on.
 */
import {
  JsonError,
  WatchFrameError,
  decodeWatchEvent,
  isInitialEventsEnd,
  newInternalError,
  parseStatus,
  peekWatchEvent,
} from "@drover/machinery";
import type { JsonObject, KubeObject, WatchEvent } from "@drover/machinery";
import { ResponseError } from "@drover/client";
import type { LineBatch, RequestAbout } from "@drover/client";
import { isPoisonObjectError } from "./poison-object-error.ts";
import { tableRefused } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { LazyWatchEvent } from "./version-source.ts";

export interface ReadEvents<T extends KubeObject> {
  /** What came before the failure is good. */
  readonly events: readonly LazyWatchEvent<T>[];
  /** Why the rest of the stream cannot be used: a `WatchFrameError`, or a `ResponseError` when the server sends Tables. */
  readonly failure: Error | undefined;
}

/** Reads a batch. An ERROR is the last event of it. */
export function readWatchEvents<T extends KubeObject>(
  { lines, isUnterminated }: LineBatch,
  about: RequestAbout,
  reader: VersionReader<T>,
): ReadEvents<T> {
  const events: LazyWatchEvent<T>[] = [];
  try {
    for (const line of lines) {
      const peeked = reader.isLate && !isUnterminated ? peekWatchEvent(line, reader.peekOptions) : undefined;
      const event: LazyWatchEvent<T> =
        peeked === undefined ? readWhole(line, isUnterminated, about, reader) : { type: peeked.type, version: reader.late(peeked.object) };
      events.push(event);
      if (event.type === "ERROR") break;
    }
  } catch (error) {
    if (error instanceof WatchFrameError || error instanceof ResponseError) return { events, failure: error };
    throw error;
  }
  return { events, failure: undefined };
}

// One level more than an object may have, for the event around it: read late or at once, the same objects are too deep.
const maxDepth = 1000 + 1;

function readWhole<T extends KubeObject>(
  line: Uint8Array,
  isUnterminated: boolean,
  about: RequestAbout,
  reader: VersionReader<T>,
): LazyWatchEvent<T> {
  let event: WatchEvent<JsonObject>;
  try {
    event = decodeWatchEvent<JsonObject>(line, { maxDepth, dropManagedFields: reader.dropManagedFields });
  } catch (error) {
    const saved = !isUnterminated && error instanceof WatchFrameError ? readBroken(line, error, reader) : undefined;
    if (saved !== undefined) return saved;
    throw error instanceof WatchFrameError ? named(error, about) : error;
  }
  if (event.type === "ERROR")
    return { type: "ERROR", status: parseStatus(event.object) ?? newInternalError("the server sent an ERROR event without a Status") };
  if (event.type === "BOOKMARK") return readBookmark(event);
  const { type, object } = event;
  if (object["kind"] === "Table") throw tableRefused(about.attempt);
  return told(() => ({ type, version: reader.parsed(object) }));
}

function readBookmark<T extends KubeObject>(event: Extract<WatchEvent<unknown>, { readonly type: "BOOKMARK" }>): LazyWatchEvent<T> {
  const version: unknown = (event.object.metadata as KubeObject["metadata"] | undefined)?.resourceVersion;
  if (typeof version === "string" && version !== "")
    return { type: "BOOKMARK", resourceVersion: version, endsInitialEvents: isInitialEventsEnd(event) };
  return {
    type: "POISON",
    report: { key: undefined, resourceVersion: undefined, message: "a bookmark cannot be read: it has no metadata.resourceVersion" },
  };
}

const head = /^\{"type":"(?:ADDED|MODIFIED|DELETED)","object":/;
const headBytesMax = 32;

/** What can be told about a line that is an event but not JSON; undefined when it is no event either. */
function readBroken<T extends KubeObject>(
  line: Uint8Array,
  error: WatchFrameError,
  reader: VersionReader<T>,
): LazyWatchEvent<T> | undefined {
  if (!(error.cause instanceof JsonError) || !head.test(new TextDecoder().decode(line.subarray(0, headBytesMax)))) return undefined;
  const peeked = peekWatchEvent(line, reader.peekOptions);
  // That an object is gone is true whatever it looked like.
  if (peeked?.type === "DELETED") return { type: "DELETED", version: reader.late(peeked.object) };
  return { type: "POISON", report: reader.poison(error.cause, peeked?.object).report };
}

function told<T extends KubeObject>(read: () => LazyWatchEvent<T>): LazyWatchEvent<T> {
  try {
    return read();
  } catch (error) {
    if (!isPoisonObjectError(error)) throw error;
    return { type: "POISON", report: error.report };
  }
}

function named(error: WatchFrameError, { attempt }: RequestAbout): WatchFrameError {
  const detail = error.message.slice(error.message.indexOf(": ") + 2);
  return new WatchFrameError(`${attempt}: ${detail}`, { truncated: error.truncated, cause: error });
}
