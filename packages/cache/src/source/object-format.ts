/**
 * How objects are encoded on the wire, for readers that decode late.
 *
 *     JSON ──────┐
 *     protobuf ──┴→ ObjectFormat → VersionReader
 */
import { JsonError, decodeJson, isInstanceOf, peekLabels, peekObject } from "@drover/machinery";
import type { JsonValue, PeekedObject, PeekOptions } from "@drover/machinery";
import { ProtobufError } from "@drover/machinery/protobuf";
import type { ObjectEncoding } from "./object-version.ts";

export interface ObjectFormat {
  readonly name: ObjectEncoding;
  /** Identifies an object without decoding it; undefined if it must be decoded whole. */
  readonly peek: (source: Uint8Array, from: number, to: number, options: PeekOptions) => PeekedObject | undefined;
  /** Returns the labels without decoding the object; undefined if it must be decoded. */
  readonly labels: (bytes: Uint8Array) => Readonly<Record<string, string>> | undefined;
  /** Decodes an object. Throws an error for which {@link formatProblem} is defined. */
  readonly decode: (bytes: Uint8Array, options?: FormatDecodeOptions) => JsonValue;
}

export interface FormatDecodeOptions {
  readonly dropManagedFields?: boolean;
  /** The caller freezes the object, so that it may share parts with others. @default false */
  readonly willFreeze?: boolean;
}

export const jsonFormat: ObjectFormat = {
  name: "json",
  peek: peekObject,
  labels: (bytes) => {
    const found = peekLabels(bytes);
    try {
      return found === undefined ? undefined : (decodeJson(found) as Readonly<Record<string, string>>);
    } catch {
      // Reading the object reports the error.
      return undefined;
    }
  },
  decode: decodeJson,
};

/** Returns what is wrong with bytes that could not be decoded; undefined for an error of another kind. */
export function formatProblem(error: unknown): string | undefined {
  if (isInstanceOf(error, JsonError)) return `it is not JSON: ${error.detail}`;
  return isInstanceOf(error, ProtobufError) ? `it is not protobuf: ${error.message}` : undefined;
}
