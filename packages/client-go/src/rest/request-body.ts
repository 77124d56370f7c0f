/**
 * What can be the body of a request.
 *
 *     text, bytes, a stream, an object → requestBody → HttpBody
 *
 * Text is sent as it is. client-go takes a string for the name of a file; nothing here reads files.
 */
import { encodeJson } from "@drover/machinery";
import type { HttpBody } from "@drover/machinery";

/**
 * Text and bytes go as they are; a stream goes chunk by chunk and can be sent only once, so the request is never repeated; an object or a
 * list is written as JSON, once. `undefined` is no body.
 */
export type RequestBody = HttpBody | object | undefined;

/** A body, ready to be sent. */
export interface EncodedBody {
  readonly body: HttpBody;
  /** Whether it was written as JSON here, so that the content type is known. */
  readonly isJson: boolean;
}

/** The body for the wire. Throws when it is of no kind that can be sent. */
export function requestBody(value: unknown): EncodedBody | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" || value instanceof Uint8Array) return { body: value, isJson: false };
  if (typeof value !== "object" || value === null)
    throw new TypeError(`unknown type used for body: ${value === null ? "null" : typeof value}`);
  if (Symbol.asyncIterator in value) return { body: value as AsyncIterable<string | Uint8Array>, isJson: false };
  return { body: encodeJson(value), isJson: true };
}
