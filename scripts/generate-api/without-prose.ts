/**
 * OpenAPI documents without their sentences. What Kubernetes says of its fields is its authors' text and stays with
 * them; what the documents state, down to the order of their members, is what a client relies on.
 */
import { assert, encodeJson, isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

export interface ProseOptions {
  /** Whether the server escapes in this document what could be HTML: in v3 it does, in v2 not. */
  readonly escapeHtml: boolean;
  /** Which texts stay: those that somebody else wrote. @default none */
  readonly keeps?: (text: string) => boolean;
}

/**
 * The document as the server would have written it without descriptions. Throws when it could not be written again byte
 * for byte, for then more than prose would change.
 */
export function documentWithoutProse(text: string, { escapeHtml, keeps = () => false }: ProseOptions): string {
  const document = JSON.parse(text) as JsonValue;
  const [body, end] = text.endsWith("\n") ? [text.slice(0, -1), "\n"] : [text, ""];
  assert(encodeJson(document, { escapeHtml }) === body, "the document is written as we write JSON");
  return encodeJson(withoutProse(document, keeps), { escapeHtml }) + end;
}

/**
 * A part of a document without descriptions. A property of that name stays, for its value is a schema; and so do the
 * words for answers ("OK"), which OpenAPI requires.
 * @param keeps - which texts stay
 */
export function withoutProse(part: JsonValue, keeps: (text: string) => boolean = () => false): JsonValue {
  return strip(part, "", keeps);
}

function strip(part: JsonValue, key: string, keeps: (text: string) => boolean): JsonValue {
  if (Array.isArray(part)) return part.map((item) => strip(item, "", keeps));
  if (!isJsonObject(part)) return part;
  const isAnswer = /^\d{3}$/.test(key);
  const stays = ([name, value]: readonly [string, JsonValue]): boolean =>
    name !== "description" || typeof value !== "string" || isAnswer || keeps(value);
  return Object.fromEntries(
    Object.entries(part)
      .filter(stays)
      .map(([name, value]) => [name, strip(value, name, keeps)]),
  );
}
