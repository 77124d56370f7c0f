/**
 * Writes the head of an HTTP/1.1 request: the request line, the headers and an empty line, as text in UTF-8.
 */
import type { HttpHeaders, HttpRequest } from "@drover/machinery";

/** What the connection adds to a request. */
export interface RequestHeadOptions {
  /** Prefix of the path. */
  readonly basePath: string;
  /** Host header. */
  readonly host: string;
  readonly acceptsGzip: boolean;
  /** Length of the body in bytes; "chunked" if it is not known; undefined without a body. */
  readonly length: number | "chunked" | undefined;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const forbiddenInPath = /[^\x21-\x7e]/;
// oxlint-disable-next-line no-control-regex -- they must not get into a header
const forbiddenInValue = /[\0-\x08\x0a-\x1f\x7f]/;

/** Throws an error with the code of Node's for a method, path or header that would end up as something else. */
export function requestHead({ method, path, headers }: HttpRequest, { basePath, host, acceptsGzip, length }: RequestHeadOptions): string {
  checkRequestLine(method, path);
  let text = `${method} ${basePath}${path} HTTP/1.1\r\n`;
  if (!Object.hasOwn(headers, "host")) text += `host: ${host}\r\n`;
  if (acceptsGzip) text += "accept-encoding: gzip\r\n";
  if (length === "chunked") text += "transfer-encoding: chunked\r\n";
  else if (length !== undefined) text += `content-length: ${length}\r\n`;
  return `${text}${headerLines(headers)}\r\n`;
}

/** Throws as `requestHead` does. */
export function checkRequestLine(method: string, path: string): void {
  if (!token.test(method)) throw unwritable("ERR_INVALID_HTTP_TOKEN", `the method ${JSON.stringify(method)} is not allowed`);
  if (forbiddenInPath.test(path)) throw unwritable("ERR_UNESCAPED_CHARACTERS", "the path has characters that must be percent-encoded");
}

/** Calls `write` for every value of every header. Throws as `requestHead` does. */
export function eachHeader(headers: HttpHeaders, write: (name: string, value: string) => void): void {
  for (const name in headers) {
    if (!Object.hasOwn(headers, name)) continue;
    const value = headers[name] ?? "";
    if (!token.test(name)) throw unwritable("ERR_INVALID_HTTP_TOKEN", `the header name ${JSON.stringify(name)} is not allowed`);
    if (typeof value === "string") checkedValue(name, value, write);
    else for (const one of value) checkedValue(name, one, write);
  }
}

function checkedValue(name: string, value: string, write: (name: string, value: string) => void): void {
  if (forbiddenInValue.test(value))
    throw unwritable("ERR_INVALID_CHAR", `the header ${name} has a line break or another control character`);
  write(name, value);
}

function headerLines(headers: HttpHeaders): string {
  let text = "";
  eachHeader(headers, (name, value) => {
    text += `${name}: ${value}\r\n`;
  });
  return text;
}

const unwritable = (code: string, message: string): Error => Object.assign(new TypeError(message), { code });
