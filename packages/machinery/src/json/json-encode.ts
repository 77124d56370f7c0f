/**
 * Lossless JSON, writing: the other half of json-decode.ts.
 *
 *     JsonValue → encodeJson → text
 *
 * Guarantees: decoding what was written gives an equal value. What JSON has no form for is refused with its path, never dropped or turned
 * into `null`; only members that are undefined are left out, as an absent field is.
 */
import { compareBytes } from "../go/byte-text.ts";
import { JsonError } from "./json-error.ts";
import type { JsonValue } from "./json-value.ts";

export interface EncodeJsonOptions {
  /** Writes `<`, `>`, `&`, U+2028 and U+2029 as escapes, as the API server does. @default false */
  readonly escapeHtml?: boolean;
  /** Writes the keys of every object in the order of their bytes, as the API server does for custom resources. @default false */
  readonly sortKeys?: boolean;
  /** How many objects and lists may stand inside each other. @default 1000 */
  readonly maxDepth?: number;
}

/** Writes a value as compact JSON. Numbers and bigints are written digit for digit. */
export function encodeJson(value: unknown, { escapeHtml = false, sortKeys = false, maxDepth = 1000 }: EncodeJsonOptions = {}): string {
  const form = formOf(value, maxDepth);
  if (form === REFUSED) throw refusal(value, maxDepth);
  const text = form === PLAIN && !sortKeys ? JSON.stringify(value) : write(value as JsonValue, sortKeys);
  return escapeHtml ? text.replace(htmlCharacters, escapeCharacter) : text;
}

/** What `JSON.stringify` would make of a value: the same value; an error, because there is a bigint; or something else than was meant. */
type Form = 0 | 1 | 2;
const PLAIN = 0;
const WITH_BIGINT = 1;
const REFUSED = 2;

// Outside of strings JSON has none of these, so the written text can be escaped as a whole.
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
  // `for in` is twice as fast as Object.keys here. It also sees inherited members, which are nobody's data: only what matters is looked up.
  for (const key in object) {
    const member = object[key];
    if (typeof member === "string" || member === undefined) continue;
    const memberForm = formOf(member, levels - 1);
    if (memberForm > form && Object.hasOwn(object, key)) form = memberForm;
  }
  return form;
}

// A key "toJSON" with a string in it is data; a method would be called by JSON.stringify and could answer anything.
const hasToJson = (container: object): boolean => typeof (container as { toJSON?: unknown }).toJSON === "function";

/** Walks to the first part that was refused, for the sake of the message. */
function refusal(value: unknown, maxDepth: number, path = ""): JsonError {
  const place = path === "" ? "the value" : path;
  if (typeof value !== "object" || value === null) {
    const what = typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
    return new JsonError("value", `cannot write ${place} as JSON: it is ${what}`);
  }
  if (maxDepth <= 0)
    return new JsonError("depth", `cannot write ${place} as JSON: too many levels inside each other, or it contains itself`);
  if (hasToJson(value)) return new JsonError("value", `cannot write ${place} as JSON: it has a toJSON method; make it a plain value first`);
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const [key, member] = members.find(
    ([, candidate]) => formOf(candidate, maxDepth - 1) === REFUSED && (candidate !== undefined || Array.isArray(value)),
  ) ?? ["", undefined];
  return refusal(member, maxDepth - 1, Array.isArray(value) ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${key}`);
}

function write(value: JsonValue | undefined, sortKeys: boolean): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, sortKeys)).join(",")}]`;
  const keys = sortKeys ? Object.keys(value).toSorted(compareBytes) : Object.keys(value);
  const members = keys.filter((key) => value[key] !== undefined).map((key) => `${JSON.stringify(key)}:${write(value[key], sortKeys)}`);
  return `{${members.join(",")}}`;
}
