/**
 * Removes the prose from OpenAPI documents. Kubernetes' descriptions are its authors' text and are not copied; the
 * statements of the documents, down to the order of their members, are what clients rely on.
 */
import { assert, encodeJson, isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

export interface ProseOptions {
  /** Whether the server escapes HTML in this document: it does in v3, not in v2. */
  readonly escapeHtml: boolean;
  /** Which texts are kept: those that users wrote. @default none */
  readonly keeps?: (text: string) => boolean;
}

/**
 * The document as the server would have written it without descriptions. Throws when it cannot be written back byte by
 * byte, because then more than prose would change.
 */
export function documentWithoutProse(text: string, { escapeHtml, keeps = () => false }: ProseOptions): string {
  const document = JSON.parse(text) as JsonValue;
  const [body, end] = text.endsWith("\n") ? [text.slice(0, -1), "\n"] : [text, ""];
  assert(encodeJson(document, { escapeHtml }) === body, "the document is written as we write JSON");
  return encodeJson(withoutProse(document, keeps), { escapeHtml }) + end;
}

/**
 * A part of a document without descriptions. A property of that name stays, because its value is a schema, and so do
 * the descriptions of responses ("OK"), which OpenAPI requires.
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
