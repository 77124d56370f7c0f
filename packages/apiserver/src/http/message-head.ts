/** Converts the head of HTTP messages between the wire, an array of names and values, and {@link HttpHeaders}. */
import { getOwn, setOwn } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";

/** The target of a request line. */
export interface RequestTarget {
  readonly path: string;
  /** The host of a target in absolute form, which overrides the Host header. @default no host */
  readonly authority?: string;
}

/** Parses the target of a request; undefined unless it is a path on a server. */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  if (target.startsWith("/")) return { path: target };
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(target) ?? [];
  if (authority === undefined) return undefined;
  return { authority, path: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Builds headers from alternating names and values, one character per byte. Repeated headers become a list. */
export function headersFromWire(raw: readonly string[]): HttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = utf8FromBytes(raw[at + 1] ?? "");
    const before = getOwn(headers, name);
    if (before === undefined) setOwn(headers, name, value);
    else if (typeof before === "string") setOwn(headers, name, [before, value]);
    else before.push(value);
  }
  return headers;
}

/** Returns alternating names and values, one character per byte. */
export function headersToWire(headers: HttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [name, bytesFromUtf8(value)] : value.flatMap((item) => [name, bytesFromUtf8(item)]),
  );
}

/** Fields of one HTTP/1.1 connection, which HTTP/2 forbids. */
const connectionHeaders: readonly string[] = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/** Returns the headers as HTTP/2 allows them, one character per byte. Throws a `TypeError` for a value with a line break. */
export function headersToHttp2(headers: HttpHeaders): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [key, value] of Object.entries(headers)) {
    const name = key.toLowerCase();
    if (connectionHeaders.includes(name)) continue;
    setOwn(result, name, typeof value === "string" ? http2Value(name, value) : value.map((item) => http2Value(name, item)));
  }
  return result;
}

function http2Value(name: string, value: string): string {
  if (/[\0\r\n]/.test(value)) throw new TypeError(`header ${name} must not contain line breaks`);
  return bytesFromUtf8(value);
}

const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** Invalid UTF-8 stays as it is, one character per byte. */
function utf8FromBytes(text: string): string {
  if (isAscii(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  } catch {
    return text;
  }
}

const bytesFromUtf8 = (text: string): string =>
  isAscii(text) ? text : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
