/**
 * Query strings as in Go: what client-go sends and how the API server parses it.
 *
 *     option values → encodeQuery → "limit=500&watch=true" → parseQuery → the same values
 */
import { compareBytes } from "../go/byte-text.ts";
import { quoteGo } from "../go/go-quote.ts";
import { parseInt64 } from "../selector/int64-text.ts";

/** Values of each parameter, in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** An invalid parameter. The message is the server's, 400 BadRequest. */
export class QueryError extends Error {
  override readonly name = "QueryError";
}

/** A parameter to write. Undefined, "", false and 0 mean "not set" wherever the server treats them so. */
export type QueryEntry = readonly [key: string, value: string | number | bigint | boolean | undefined];

/** Writes parameters sorted by key; those of one key keep their order. Leaves out undefined values. */
export function encodeQuery(entries: readonly QueryEntry[]): string {
  const given = entries.filter(([, value]) => value !== undefined);
  // Most requests have no parameters.
  if (given.length === 0) return "";
  return given
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([key, value]) => `${escapeQuery(key)}=${escapeQuery(String(value))}`)
    .join("&");
}

/** Parses a query string, without its "?". Skips invalid parameters, as the server does. */
export function parseQuery(text: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    // A semicolon used to separate parameters as well, and parsers disagreed; Go drops such a pair.
    if (pair === "" || pair.includes(";")) continue;
    const split = pair.indexOf("=");
    const key = unescapePercent(split === -1 ? pair : pair.slice(0, split), "query");
    const value = split === -1 ? "" : unescapePercent(pair.slice(split + 1), "query");
    if (key === undefined || value === undefined) continue;
    const values = query.get(key);
    if (values === undefined) query.set(key, [value]);
    else values.push(value);
  }
  return query;
}

/** Returns the first value of a parameter; undefined when it is absent or empty. */
export function readText(query: Query, key: string): string | undefined {
  return query.get(key)?.[0] || undefined;
}

/** Returns a boolean parameter. Everything but "0" and "false" counts as true, even no value: `?watch`. */
export function readBoolean(query: Query, key: string): boolean | undefined {
  const value = query.get(key)?.[0];
  return value === undefined ? undefined : value !== "0" && value.toLowerCase() !== "false";
}

/** Returns a 64-bit integer. Throws a {@link QueryError} in Go's words; rounds beyond ±(2^53−1). */
export function readInt64(query: Query, key: string): number | undefined {
  const text = query.get(key)?.[0];
  if (text === undefined) return undefined;
  const value = parseInt64(text);
  if (value !== undefined) return Number(value);
  throw new QueryError(
    `strconv.ParseInt: parsing ${quoteGo(text)}: ${/^[+-]?[0-9]+$/.test(text) ? "value out of range" : "invalid syntax"}`,
  );
}

/** Decodes percent escapes; undefined for an invalid one. In a query "+" is a space. */
export function unescapePercent(text: string, place: "query" | "path"): string | undefined {
  const spaced = place === "query" ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  if (/%(?![0-9A-Fa-f]{2})/.test(spaced)) return undefined;
  // Decodes runs of escapes together: a character may take several bytes. Invalid UTF-8 becomes U+FFFD.
  return spaced.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  });
}

// encodeURIComponent leaves five more characters unescaped than Go, and Go writes a space as "+".
function escapeQuery(text: string): string {
  return encodeUtf8Component(text).replaceAll("%20", "+");
}

const unreserved = /^[\w.~-]*$/;

/** Percent-encodes everything but letters, digits and "-_.~". A lone surrogate becomes U+FFFD. */
export function encodeUtf8Component(text: string): string {
  if (unreserved.test(text)) return text;
  const wellFormed = text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return encodeURIComponent(wellFormed).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
