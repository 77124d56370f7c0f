/**
 * Watch events on the wire: one JSON object per line, `{"type":"ADDED","object":{…}}`.
 *
 *     object text → encodeWatchEvent → line → decodeWatchEvent → WatchEvent
 */
import { errorBrand } from "../error-brand.ts";
import { getOwn } from "../json/own.ts";
import type { KubeObject } from "../object/object.ts";
import { decodeJson } from "../json/json-decode.ts";
import type { DecodeJsonOptions } from "../json/json-decode.ts";
import { JsonError } from "../json/json-error.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { splitLines } from "./lines.ts";
import type { LineOptions } from "./lines.ts";
import type { Status } from "./status.ts";

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/**
 * A change of one object; or a bookmark, whose object has only `metadata.resourceVersion`; or an error, a Status, after which the
 * stream ends.
 */
export type WatchEvent<T = KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly object: KubeObject }
  | { readonly type: "ERROR"; readonly object: Status };

/** On the bookmark that ends the initial state of a watch with `sendInitialEvents`. */
export const initialEventsEndAnnotation: string = "k8s.io/initial-events-end";

const brand = errorBrand<WatchFrameError>("WatchFrameError");

/** Thrown for an invalid line. The message is client-go's. */
export class WatchFrameError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "WatchFrameError";
  /** The line is incomplete: the connection was lost, and everything before it is good. */
  readonly truncated: boolean;

  constructor(message: string, { truncated = false, cause }: { readonly truncated?: boolean; readonly cause?: unknown } = {}) {
    super(`unable to decode an event from the watch stream: ${message}`, { cause });
    this.truncated = truncated;
  }
}

/** Reports whether the error is a `WatchFrameError`, also one of another copy of this package. */
export function isWatchFrameError(error: unknown): error is WatchFrameError {
  return brand.is(error);
}

/** Returns the line of an event, "\n" included. `objectText` is the object as JSON, encoded once for all watchers. */
export function encodeWatchEvent(type: WatchEventType, objectText: string): string {
  return `{"type":"${type}","object":${objectText}}\n`;
}

/** Decodes one line. Checks the type and that there is an object, not that the object is a `T`. Throws a {@link WatchFrameError}. */
export function decodeWatchEvent<T = KubeObject>(line: string | Uint8Array, options?: DecodeJsonOptions): WatchEvent<T> {
  const event = decodeLine(line, options);
  const type = getOwn(event, "type");
  if (!isWatchEventType(type)) throw new WatchFrameError(`got invalid watch event type: ${typeof type === "string" ? type : ""}`);
  const object = getOwn(event, "object");
  if (!isJsonObject(object)) throw new WatchFrameError(`unable to decode watch event: the object of ${type} is missing`);
  return { type, object } as unknown as WatchEvent<T>;
}

/** Yields events. Ends with the stream; leaving the loop early ends the source. Throws a {@link WatchFrameError}. */
export async function* decodeWatchEvents<T = KubeObject>(
  chunks: AsyncIterable<string | Uint8Array>,
  options: DecodeJsonOptions & LineOptions = {},
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  for await (const line of splitLines(chunks, options)) yield decodeWatchEvent<T>(line, options);
}

/** Whether this bookmark marks the end of the initial state. */
export function isInitialEventsEnd(event: WatchEvent<unknown>): boolean {
  return event.type === "BOOKMARK" && getOwn(event.object.metadata.annotations ?? {}, initialEventsEndAnnotation) === "true";
}

function decodeLine(line: string | Uint8Array, options: DecodeJsonOptions | undefined): JsonObject {
  let value: JsonValue;
  try {
    value = decodeJson(line, options);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new WatchFrameError(error.message, { truncated: error.reason === "truncated", cause: error });
  }
  if (!isJsonObject(value)) throw new WatchFrameError("unable to decode to metav1.WatchEvent");
  return value;
}

const types: ReadonlySet<unknown> = new Set<WatchEventType>(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);
/** Whether this is a known event type. */
export const isWatchEventType = (value: unknown): value is WatchEventType => types.has(value);
