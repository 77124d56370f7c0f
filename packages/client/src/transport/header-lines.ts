/**
 * Converts headers between our form and Node's. Node uses Latin-1 for header values where Kubernetes uses UTF-8, and it
 * joins or drops repeated headers; both are corrected here.
 */
import type { HttpHeaders } from "@drover/machinery";
import { setOwn } from "@drover/machinery";

/** `[name, value, name, value, …]` as received → names in lower case; a repeated header becomes a list, in order. */
export function responseHeaders(rawHeaders: readonly string[]): HttpHeaders {
  const headers: Record<string, string | readonly string[]> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = asUtf8(rawHeaders[index + 1] ?? "");
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    setOwn(headers, name, before === undefined ? value : typeof before === "string" ? [before, value] : [...before, value]);
  }
  return headers;
}

/** Our form → Node's; a list becomes one line per value. */
export function requestHeaders(headers: HttpHeaders): Record<string, string | string[]> {
  const lines: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    setOwn(lines, name, typeof value === "string" ? asLatin1(value) : value.map(asLatin1));
  return lines;
}

/** Returns the first value of a header; "" if absent. */
export function firstHeader(headers: HttpHeaders, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return value === undefined ? "" : typeof value === "string" ? value : (value[0] ?? "");
}

/** Returns the headers without some; the names in lower case. */
export function withoutHeaders(headers: HttpHeaders, ...names: readonly string[]): HttpHeaders {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (!names.includes(name)) setOwn(kept, name, value);
  return kept;
}

/** Reports whether every value can be written unchanged. */
export function isAscii(headers: HttpHeaders): boolean {
  return Object.values(headers).every((value) =>
    typeof value === "string" ? !beyondAscii.test(value) : !value.some((one) => beyondAscii.test(one)),
  );
}

const beyondAscii = /[^\0-\x7f]/;

function asUtf8(latin1: string): string {
  if (!beyondAscii.test(latin1)) return latin1;
  return new TextDecoder().decode(Uint8Array.from(latin1, (character) => character.charCodeAt(0)));
}

function asLatin1(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
