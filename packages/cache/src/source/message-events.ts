/**
 * Decodes a batch of watch events in protobuf, with the results of lazy-watch-events.ts.
 *
 *     LineBatch → readMessageEvents → LazyWatchEvent[]
 */
import { WatchFrameError, isInstanceOf, newInternalError, parseStatus } from "@drover/machinery";
import type { KubeObject, WatchEvent } from "@drover/machinery";
import { ProtobufError, decodeEnvelope, decodeStatusMessage, decodeWatchMessage, peekWatchMessage } from "@drover/machinery/protobuf";
import type { WatchMessage } from "@drover/machinery/protobuf";
import { isResponseError } from "@drover/client";
import type { LineBatch, RequestAbout } from "@drover/client";
import { readBookmark, told } from "./lazy-watch-events.ts";
import type { ReadEvents } from "./lazy-watch-events.ts";
import type { MessageFormat } from "./message-format.ts";
import { tableRefused } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { LazyWatchEvent } from "./version-source.ts";

/** Decodes a batch. An ERROR event is always the last one. */
export function readMessageEvents<T extends KubeObject>(
  { lines, isUnterminated }: LineBatch,
  about: RequestAbout,
  reader: VersionReader<T>,
  format: MessageFormat,
): ReadEvents<T> {
  const { attempt } = about;
  const events: LazyWatchEvent<T>[] = [];
  if (isUnterminated) return { events, failure: new WatchFrameError(`${attempt}: the stream ended within an event`, { truncated: true }) };
  try {
    for (const frame of lines) {
      const peeked = reader.isLate ? peekWatchMessage(frame, format.typeMeta, reader.peekOptions, format.projection) : undefined;
      const event: LazyWatchEvent<T> =
        peeked === undefined ? readWhole(frame, about, reader, format) : { type: peeked.type, version: reader.late(peeked.object, format) };
      events.push(event);
      if (event.type === "ERROR") break;
    }
  } catch (error) {
    if (isResponseError(error)) return { events, failure: error };
    if (!isInstanceOf(error, ProtobufError)) throw error;
    const failure = new WatchFrameError(`${attempt}: an event of the stream is not protobuf: ${error.message}`, {
      truncated: false,
      cause: error,
    });
    return { events, failure };
  }
  return { events, failure: undefined };
}

function readWhole<T extends KubeObject>(
  frame: Uint8Array,
  { attempt }: RequestAbout,
  reader: VersionReader<T>,
  format: MessageFormat,
): LazyWatchEvent<T> {
  const event = decodeWatchMessage(frame);
  if (event.type === "ERROR") {
    const status = decodeStatusMessage(event.object);
    return { type: "ERROR", status: parseStatus(status) ?? newInternalError("the server sent an ERROR event without a Status") };
  }
  const { message, ...names } = decodeEnvelope(event.object);
  if (names.kind === "Table") throw tableRefused(attempt);
  if (!format.accepts(names)) throw new ProtobufError(`the object is of another kind: ${names.apiVersion} ${names.kind}`);
  if (event.type === "BOOKMARK") return readBookmark(bookmarkOf(event, format.decode(message)));
  const { type } = event;
  const change = told(() => ({ type, version: reader.read(message, format) }));
  // A deletion is valid even if the object cannot be decoded.
  const peeked = type === "DELETED" && change.type === "POISON" ? format.peek(message, 0, message.length, reader.peekOptions) : undefined;
  return peeked === undefined ? change : { type: "DELETED", version: reader.late(peeked, format) };
}

const bookmarkOf = ({ type }: WatchMessage, object: unknown): Extract<WatchEvent<unknown>, { readonly type: "BOOKMARK" }> =>
  ({ type, object }) as Extract<WatchEvent<unknown>, { readonly type: "BOOKMARK" }>;
