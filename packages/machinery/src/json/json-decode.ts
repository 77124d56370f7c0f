/**
 * Lossless JSON decoding. Uses `JSON.parse` where that loses nothing, else the exact parser (json-parser.ts).
 *
 *     bytes or text → decodeJson → JsonValue
 *
 * The result is that of Kubernetes' decoder: an integer beyond ±(2^53−1) that fits 64 bits is a `bigint`, a longer one is rounded
 * to a float; `1.0` is 1; the last of duplicate keys wins; `__proto__` is an ordinary key. An escaped lone surrogate stays one
 * (Kubernetes replaces it by U+FFFD).
 *
 * JavaScript objects cannot keep two things, neither of which matters to the server: keys that look like array indexes ("0", "42")
 * move to the front of their object, and `-0` loses its sign when encoded.
 *
 * A float beyond 1.8e308 written with an exponent (`1e400`) is refused only by the exact parser. `JSON.parse` makes it Infinity,
 * which `encodeJson` refuses, so it cannot silently become `null`.
 */
import { byteLength } from "../go/byte-text.ts";
import { isDeeper, mayBeDeeper } from "./json-depth.ts";
import { JsonError } from "./json-error.ts";
import { mayLoseDigits } from "./json-numbers.ts";
import { parseJson } from "./json-parser.ts";
import type { JsonValue } from "./json-value.ts";
import {
  cutManagedFields,
  parseEngine,
  parseWithoutManagedFields,
  removeManagedFields,
  settleManagedFields,
} from "./managed-fields-cut.ts";

export interface DecodeJsonOptions {
  /** Maximum nesting depth. @default 1000 */
  readonly maxDepth?: number;
  /** Maximum size in bytes of UTF-8. @default no limit */
  readonly maxBytes?: number;
  /**
   * Leaves out `metadata.managedFields` of an object, of the items of a list, or of the object of a watch event. Cuts them before
   * parsing where possible, so their content is not checked.
   * @default false
   */
  readonly dropManagedFields?: boolean;
  /**
   * Called with the path of each duplicate key ("data.a"), at most a hundred, each once. Uses the exact parser, which is several
   * times slower and refuses every number out of range.
   * @default no callback, the last duplicate wins
   */
  readonly onDuplicateField?: (path: string) => void;
}

/** Decodes one JSON text. Throws a `JsonError` that names the position and what was expected there. */
export function decodeJson(input: string | Uint8Array, options: DecodeJsonOptions = noOptions): JsonValue {
  const { maxDepth = 1000, maxBytes, dropManagedFields = false, onDuplicateField } = options;
  if (maxBytes !== undefined && isLarger(input, maxBytes)) throw new JsonError("size", `Request entity too large: limit is ${maxBytes}`);
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (onDuplicateField !== undefined) {
    const value = parseJson(text, { maxDepth, onDuplicateField });
    return dropManagedFields ? removeManagedFields(value) : value;
  }
  return dropManagedFields ? decodeWithoutManagedFields(text, maxDepth) : decodeText(text, maxDepth);
}

const noOptions: DecodeJsonOptions = {};

function decodeWithoutManagedFields(text: string, maxDepth: number): JsonValue {
  const single = parseWithoutManagedFields(text, maxDepth);
  if (single !== undefined) return single;
  const cut = cutManagedFields(text, maxDepth);
  const value = cut === undefined ? undefined : parseEngine(cut.text);
  const isExact =
    cut !== undefined && value !== undefined && settleManagedFields(value, cut) && !(cut.mayBeDeeper && isDeeper(value, maxDepth));
  return isExact ? value : removeManagedFields(decodeText(text, maxDepth));
}

function decodeText(text: string, maxDepth: number): JsonValue {
  const value = mayLoseDigits(text) ? undefined : parseEngine(text);
  return value === undefined || (mayBeDeeper(text, maxDepth) && isDeeper(value, maxDepth)) ? parseJson(text, { maxDepth }) : value;
}

function isLarger(input: string | Uint8Array, maxBytes: number): boolean {
  if (typeof input !== "string") return input.length > maxBytes;
  // A UTF-16 unit takes one to three bytes.
  return input.length > maxBytes || (input.length * 3 > maxBytes && byteLength(input) > maxBytes);
}

// Without streaming, a decoder has no state.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError("encoding", "invalid UTF-8 in JSON text");
  }
}
