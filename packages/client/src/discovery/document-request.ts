/**
 * Fetches one whole document of the server: discovery, version, OpenAPI.
 *
 *     Transport → fetchDocument → FetchedDocument | undefined (304) → decoders
 */
import { JsonError, TimeoutError, abortable, decodeJson, definedOnly, isInstanceOf, isTimeoutError, withTimeout } from "@drover/machinery";
import type { Clock, HttpHeaders, HttpResponse, JsonValue, Transport } from "@drover/machinery";
import { readResponse, responseError, textOf } from "../rest/decode.ts";
import { firstHeader } from "../transport/header-lines.ts";
import { unanswered } from "../rest/response-error.ts";
import { DiscoveryDocumentError } from "./discovery-error.ts";

/** Options of every request. */
export interface DocumentRequestOptions {
  readonly clock: Clock;
  /** Timeout for one document, in milliseconds. @default 32000 */
  readonly timeoutMs?: number;
  /** Maximum size of a document. @default 128 * 1024 * 1024, some fifty times the largest document of a server without extensions */
  readonly maxBodyBytes?: number;
}

/** One request. */
export interface DocumentRequest {
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly accept: string;
  /** ETag of the known version: the server answers 304 if it is still current. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A fetched document. */
export interface FetchedDocument {
  readonly contentType: string;
  /** Empty if the server sent none. */
  readonly etag: string;
  readonly document: JsonValue;
  /** Path after redirects. */
  readonly path: string;
}

const maxBodyBytesDefault = 128 * 1024 * 1024;
const redirectsMax = 5;

/**
 * Fetches a document; undefined means that the known one (`etag`) is current. Follows redirects on the same server only.
 *
 * Rejects with an `ApiError` for a refusal, a `ResponseError` for a missing or truncated response, a `TimeoutError`, a
 * `DiscoveryDocumentError` for invalid JSON (all of which name the path), or the signal's reason.
 */
export async function fetchDocument(
  transport: Transport,
  request: DocumentRequest,
  options: DocumentRequestOptions,
): Promise<FetchedDocument | undefined> {
  const { clock, timeoutMs = 32_000, maxBodyBytes = maxBodyBytesDefault } = options;
  const { path, signal: parent } = request;
  try {
    return await withTimeout(
      clock,
      timeoutMs,
      (signal) => abortable(exchange(transport, { ...request, signal }, maxBodyBytes), signal),
      definedOnly({ signal: parent }),
    );
  } catch (error) {
    if (isTimeoutError(error) && parent?.aborted !== true) throw new TimeoutError(`get ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function exchange(transport: Transport, request: DocumentRequest, maxBodyBytes: number): Promise<FetchedDocument | undefined> {
  const { path: start, accept, etag = "" } = request;
  const options = definedOnly({ signal: request.signal });
  const headers: HttpHeaders = etag === "" ? { accept } : { accept, "if-none-match": etag };
  let path = start;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const about = { attempt: `get ${path}`, method: "GET" };
    const response = await transport({ method: "GET", path, headers, ...options }).catch((error: unknown) => {
      throw unanswered(about, error, request.signal);
    });
    if (![200, 304, 301, 302, 307, 308].includes(response.status)) throw await responseError(response, about, options);
    const { body } = await readResponse(response, about, { maxBodyBytes, ...options });
    if (response.status === 304) {
      if (etag !== "") return undefined;
      throw new DiscoveryDocumentError(`get ${path}: the server answered 304 although the request had no ETag`);
    }
    if (response.status === 200)
      return {
        contentType: firstHeader(response.headers, "content-type"),
        etag: firstHeader(response.headers, "etag"),
        document: parse(textOf(body), path),
        path,
      };
    path = redirected(response, path);
  }
  throw new DiscoveryDocumentError(`get ${start}: redirected more than ${redirectsMax} times`);
}

/** Another host would receive the credentials. The query may be a secret and is not quoted. */
function redirected(response: HttpResponse, path: string): string {
  const location = firstHeader(response.headers, "location");
  if (!/^\/(?!\/)[\u0021-\u007e]*$/.test(location) || location.includes("\\"))
    throw new DiscoveryDocumentError(
      `get ${path}: redirected to ${JSON.stringify(location.split(/[?#]/, 1).join(""))}, which is not a path on this server`,
    );
  return location;
}

function parse(body: string, path: string): JsonValue {
  try {
    return decodeJson(body);
  } catch (error) {
    if (isInstanceOf(error, JsonError)) throw new DiscoveryDocumentError(`get ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
