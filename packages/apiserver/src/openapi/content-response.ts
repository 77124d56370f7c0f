/**
 * A document that clients keep: answered whole, or with 304 when they have it. Parts of it (`Range`) are not answered;
 * whoever asks for one gets the whole.
 */
import type { HttpHeaders, HttpResponse } from "@drover/machinery";
import { headerText } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { formatHttpDate, parseHttpDate } from "./http-date.ts";

export interface Content {
  readonly body: Uint8Array | string;
  readonly contentType: string;
  /** Without quotes. @default it has none */
  readonly tag?: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Besides those that follow from the content. */
  readonly headers: HttpHeaders;
}

/** Of tag and time the tag decides, if the client names one. */
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
