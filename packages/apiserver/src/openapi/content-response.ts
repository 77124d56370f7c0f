/** A cacheable document: the whole body, or 304 if the client has it. `Range` requests get the whole document. */
import type { HttpHeaders, HttpResponse } from "@drover/machinery";
import { headerText } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { formatHttpDate, parseHttpDate } from "./http-date.ts";

export interface Content {
  readonly body: Uint8Array | string;
  readonly contentType: string;
  /** Without quotes. @default no ETag */
  readonly tag?: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Headers besides those that follow from the content. */
  readonly headers: HttpHeaders;
}

/** Returns the response. If the client sends both validators, the ETag decides. */
export function contentResponse(request: PlainRequest, { body, contentType, tag, lastModified, headers }: Content): HttpResponse {
  const tagged = tag === undefined ? headers : { ...headers, etag: `"${tag}"` };
  const dated = { "last-modified": formatHttpDate(lastModified) };
  if (isKnown(request, tag, lastModified)) return { status: 304, headers: tag === undefined ? { ...tagged, ...dated } : tagged, body: "" };
  return { status: 200, headers: { ...tagged, ...dated, "content-type": contentType }, body: request.method === "HEAD" ? "" : body };
}

function isKnown(request: PlainRequest, tag: string | undefined, lastModified: number): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const tags = headerText(request, "if-none-match");
  if (tags !== "")
    return tags.trim() === "*" || (tag !== undefined && tags.split(",").some((known) => known.trim().replace(/^W\//, "") === `"${tag}"`));
  const since = parseHttpDate(headerText(request, "if-modified-since"));
  return since !== undefined && Math.floor(lastModified / 1000) * 1000 <= since;
}
