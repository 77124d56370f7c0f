/**
 * Decodes a batch of watch lines.
 *
 *     LineBatch → readWatchEvents → LazyWatchEvent[]
 *
 * A complete line that cannot be decoded affects only one object: it becomes a POISON event, and the stream continues. A truncated line, or
 * one that is not an event, is thrown: the rest of the stream cannot be trusted.
 */
import {
  JsonError,
  WatchFrameError,
  decodeWatchEvent,
  isInitialEventsEnd,
  isWatchFrameError,
  newInternalError,
  parseStatus,
  peekWatchEvent,
} from "@drover/machinery";
import type { JsonObject, KubeObject, WatchEvent } from "@drover/machinery";
import { isResponseError } from "@drover/client";
import type { LineBatch, RequestAbout } from "@drover/client";
import { jsonFormat } from "./object-format.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";
import { tableRefused } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { LazyWatchEvent } from "./version-source.ts";

export interface ReadEvents<T extends KubeObject> {
  /** Events before the failure; they are valid. */
  readonly events: readonly LazyWatchEvent<T>[];
  /** Why the rest of the stream is unusable: a `WatchFrameError`, or a `ResponseError` if the server sends Tables. */
  readonly failure: Error | undefined;
}

/** Decodes a batch. An ERROR event is always the last one. */
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
    if (isWatchFrameError(error) || isResponseError(error)) return { events, failure: error };
    throw error;
  }
  return { events, failure: undefined };
}

// One level more than an object may have, for the enclosing event, so that late and eager decoding reject the same objects.
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
    const saved = !isUnterminated && isWatchFrameError(error) ? readBroken(line, error, reader) : undefined;
    if (saved !== undefined) return saved;
    throw isWatchFrameError(error) ? named(error, about) : error;
  }
  if (event.type === "ERROR")
    return { type: "ERROR", status: parseStatus(event.object) ?? newInternalError("the server sent an ERROR event without a Status") };
  if (event.type === "BOOKMARK") return readBookmark(event);
  const { type, object } = event;
  if (object["kind"] === "Table") throw tableRefused(about.attempt);
  return told(() => ({ type, version: reader.parsed(object) }));
}

/** Returns the event of a bookmark. */
export function readBookmark<T extends KubeObject>(event: Extract<WatchEvent<unknown>, { readonly type: "BOOKMARK" }>): LazyWatchEvent<T> {
  const version: unknown = (event.object.metadata as KubeObject["metadata"] | undefined)?.resourceVersion;
  if (typeof version === "string" && version !== "")
    return { type: "BOOKMARK", resourceVersion: version, endsInitialEvents: isInitialEventsEnd(event) };
  return {
    type: "POISON",
    report: { key: undefined, resourceVersion: undefined, message: "cannot decode bookmark: it has no metadata.resourceVersion" },
  };
}

const head = /^\{"type":"(?:ADDED|MODIFIED|DELETED)","object":/;
const headBytesMax = 32;

/** Returns an event for a line that is an event but not valid JSON; undefined if it is not an event. */
function readBroken<T extends KubeObject>(
  line: Uint8Array,
  error: WatchFrameError,
  reader: VersionReader<T>,
): LazyWatchEvent<T> | undefined {
  if (!(error.cause instanceof JsonError) || !head.test(new TextDecoder().decode(line.subarray(0, headBytesMax)))) return undefined;
  const peeked = peekWatchEvent(line, reader.peekOptions);
  // A deletion is valid even if the object cannot be decoded.
  if (peeked?.type === "DELETED") return { type: "DELETED", version: reader.late(peeked.object) };
  const poison = reader.poison(error.cause, jsonFormat, peeked?.object);
  return poison === undefined ? undefined : { type: "POISON", report: poison.report };
}

/** Returns an event, or the POISON event of an object that cannot be decoded. */
export function told<T extends KubeObject>(read: () => LazyWatchEvent<T>): LazyWatchEvent<T> {
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
