/**
 * Lossless JSON encoding, the counterpart of json-decode.ts.
 *
 *     JsonValue → encodeJson → text
 *
 * Guarantees: decoding the result gives an equal value. Refuses what JSON cannot represent and names its path, never drops it or
 * turns it into `null`; only undefined members are left out, like absent fields.
 */
import { compareBytes } from "../go/byte-text.ts";
import { JsonError } from "./json-error.ts";
import type { JsonValue } from "./json-value.ts";

export interface EncodeJsonOptions {
  /** Escapes `<`, `>`, `&`, U+2028 and U+2029, as the API server does. @default false */
  readonly escapeHtml?: boolean;
  /** Writes keys in byte order, as the API server does for custom resources. @default false */
  readonly sortKeys?: boolean;
  /** Maximum nesting depth. @default 1000 */
  readonly maxDepth?: number;
}

/** Encodes a value as compact JSON. Numbers and bigints keep all digits. */
export function encodeJson(value: unknown, { escapeHtml = false, sortKeys = false, maxDepth = 1000 }: EncodeJsonOptions = {}): string {
  const form = formOf(value, maxDepth);
  if (form === REFUSED) throw refusal(value, maxDepth);
  if (form === PLAIN && !sortKeys) return finished(JSON.stringify(value), escapeHtml);
  const slow = new Set<object>();
  findSlow(value as JsonValue, sortKeys, slow);
  return finished(write(value as JsonValue, sortKeys, slow), escapeHtml);
}

function finished(text: string, escapeHtml: boolean): string {
  return escapeHtml ? text.replace(htmlCharacters, escapeCharacter) : text;
}

/** What `JSON.stringify` would do with a value: encode it, throw because of a bigint, or encode something else. */
type Form = 0 | 1 | 2;
const PLAIN = 0;
const WITH_BIGINT = 1;
const REFUSED = 2;

// These occur in JSON only within strings, so the whole text can be escaped.
const htmlCharacters = /[<>&\u2028\u2029]/g;
const escapeCharacter = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

function formOf(value: unknown, levels: number): Form {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return PLAIN;
  if (typeof value === "number") return Number.isFinite(value) ? PLAIN : REFUSED;
  if (typeof value === "object") return formOfContainer(value, levels);
  return typeof value === "bigint" ? WITH_BIGINT : REFUSED;
}

function formOfContainer(container: object, levels: number): Form {
  if (levels <= 0 || hasToJson(container)) return REFUSED;
  let form: Form = PLAIN;
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      const itemForm = typeof item === "string" ? PLAIN : formOf(item, levels - 1);
      if (itemForm > form) form = itemForm;
    }
    return form;
  }
  const object = container as Readonly<Record<string, unknown>>;
  // `for in` is twice as fast as Object.keys here. It also visits inherited members, which are not data: those that matter are
  // checked.
  for (const key in object) {
    const member = object[key];
    if (typeof member === "string" || member === undefined) continue;
    const memberForm = formOf(member, levels - 1);
    if (memberForm > form && Object.hasOwn(object, key)) form = memberForm;
  }
  return form;
}

// A string under the key "toJSON" is data; a method would be called by JSON.stringify and could return anything.
const hasToJson = (container: object): boolean => typeof (container as { toJSON?: unknown }).toJSON === "function";

/** Walks to the first refused part, for the error message. */
function refusal(value: unknown, maxDepth: number, path = ""): JsonError {
  const place = path === "" ? "the value" : path;
  if (typeof value !== "object" || value === null) {
    const what = typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
    return new JsonError("value", `cannot write ${place} as JSON: it is ${what}`);
  }
  if (maxDepth <= 0) return new JsonError("depth", `cannot write ${place} as JSON: nested too deeply, or circular`);
  if (hasToJson(value)) return new JsonError("value", `cannot write ${place} as JSON: it has a toJSON method; make it a plain value first`);
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const [key, member] = members.find(
    ([, candidate]) => formOf(candidate, maxDepth - 1) === REFUSED && (candidate !== undefined || Array.isArray(value)),
  ) ?? ["", undefined];
  return refusal(member, maxDepth - 1, Array.isArray(value) ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${key}`);
}

/**
 * Finds the containers that `JSON.stringify` would write differently: those with a bigint, or with keys in another order, and all that
 * contain them. Returns whether the value is one of them.
 */
function findSlow(value: JsonValue | undefined, sortKeys: boolean, slow: Set<object>): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  let isSlow = false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== "string" && findSlow(item, sortKeys, slow)) isSlow = true;
  } else {
    let last = "";
    for (const key of Object.keys(value)) {
      if (sortKeys && !isSlow && compareBytes(last, key) > 0) isSlow = true;
      last = key;
      const member = value[key];
      if (typeof member !== "string" && findSlow(member, sortKeys, slow)) isSlow = true;
    }
  }
  if (isSlow) slow.add(value);
  return isSlow;
}

function write(value: JsonValue | undefined, sortKeys: boolean, slow: ReadonlySet<object>): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || !slow.has(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, sortKeys, slow)).join(",")}]`;
  const keys = sortKeys ? Object.keys(value).toSorted(compareBytes) : Object.keys(value);
  const members = keys
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${write(value[key], sortKeys, slow)}`);
  return `{${members.join(",")}}`;
}
