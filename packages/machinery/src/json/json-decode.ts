/**
 * Lossless JSON, reading. What `JSON.parse` reads without loss it reads; the rest takes the exact path (json-parser.ts).
 *
 *     bytes or text → decodeJson → JsonValue
 *
 * What comes out is what Kubernetes' own decoder makes of the text: a whole number beyond ±(2^53−1) that fits 64 bits is a `bigint`, a
 * longer one is rounded to a float; `1.0` is 1; of duplicate keys the last one counts; `__proto__` is a key like any other. A lone
 * surrogate, written as an escape, stays one (Kubernetes makes U+FFFD of it).
 *
 * Two things no JavaScript object can keep: keys that look like array indexes ("0", "42") move to the front of their object, and the sign
 * of `-0` is lost in writing. Both mean nothing to the server.
 *
 * A float beyond 1.8e308 written with an exponent (`1e400`) is refused only on the exact path. On the fast path it becomes Infinity, which
 * `encodeJson` refuses: it cannot turn into `null` unnoticed.
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
  /** How many objects and lists may stand inside each other. @default 1000 */
  readonly maxDepth?: number;
  /** How many bytes the text may have in UTF-8. @default any number */
  readonly maxBytes?: number;
  /**
   * Leaves `metadata.managedFields` out of an object, of the items of a list, or of the object of a watch event: whichever the text is.
   * They are cut out before parsing where possible, so what stands inside them is not checked. @default false
   */
  readonly dropManagedFields?: boolean;
  /**
   * Told the path of each key that its object already had ("data.a"), at most a hundred, none twice. Takes the exact path, which is
   * several times slower and refuses every number that is out of range. @default none is told, and the last one counts
   */
  readonly onDuplicateField?: (path: string) => void;
}

/** Reads one JSON text. Throws a `JsonError` that names the place and what was expected there. */
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

// Used without streaming, a decoder has no state.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError("encoding", "invalid UTF-8 in JSON text");
  }
}
