/**
 * Bodies of requests.
 *
 *     text, bytes, a stream, an object → requestBody → HttpBody
 *
 * Text is sent unchanged. (client-go treats a string as a file name; this package reads no files.)
 */
import { encodeJson } from "@drover/machinery";
import type { HttpBody } from "@drover/machinery";

/**
 * Text and bytes are sent unchanged; a stream is sent chunk by chunk and only once, so its request is never retried; an object or an
 * array is encoded as JSON, once. `undefined` means no body.
 */
export type RequestBody = HttpBody | object | undefined;

/** An encoded body. */
export interface EncodedBody {
  readonly body: HttpBody;
  /** Whether the body was encoded as JSON, which determines its content type. */
  readonly isJson: boolean;
}

/** Encodes a body. Throws if its type cannot be sent. */
export function requestBody(value: unknown): EncodedBody | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" || value instanceof Uint8Array) return { body: value, isJson: false };
  if (typeof value !== "object" || value === null)
    throw new TypeError(`unknown type used for body: ${value === null ? "null" : typeof value}`);
  if (Symbol.asyncIterator in value) return { body: value as AsyncIterable<string | Uint8Array>, isJson: false };
  return { body: encodeJson(value), isJson: true };
}
