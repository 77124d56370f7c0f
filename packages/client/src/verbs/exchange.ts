/**
 * One request and its answer, for every client of this package: a place and options in, a decoded object out.
 *
 *     DynamicClient, Subresources … → exchange, openWatch → rest/ → Transport
 */
import { deadline, encodeJson, errorText, jsonMediaType } from "@drover/machinery";
import type { HttpRequest, WatchEvent } from "@drover/machinery";
import type { CallOptions, WatchOptions } from "./call-options.ts";
import { decodeResponse } from "../rest/decode.ts";
import { unanswered } from "../rest/response-error.ts";
import type { RequestAbout } from "../rest/response-error.ts";
import { handleWarnings, warningLogger } from "../transport/warning-header.ts";
import { watchStream } from "../rest/watch-stream.ts";
import type { Place } from "./resource-target.ts";
import { trackSent } from "../transport/request-sent.ts";
import { timedOut } from "../transport/timed-out.ts";
import type { ClientOptions } from "./client-options.ts";

/** One request. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly place: Place;
  /** Encoded, without "?"; may be empty. */
  readonly query: string;
  readonly accept: string;
  /** What the body is. @default JSON */
  readonly contentType?: string;
  /** What is sent as JSON. @default no body */
  readonly body?: unknown;
}

/**
 * Sends a request and decodes what it is answered with; that it is a `T` is the server's word. Rejects with an `ApiError` that has the
 * attempt, a `ResponseError`, the signal's reason; and when `timeoutMs` is over, with a `TimeoutError`, or, since a write that was sent may
 * have happened, with an `UnknownOutcomeError`.
 */
export async function exchange<T>(core: ClientOptions, request: Exchange, { signal, timeoutMs }: CallOptions): Promise<T> {
  signal?.throwIfAborted();
  const send = { ...httpRequest(aboutOf(request), request), ...(signal === undefined ? {} : { signal }) };
  if (timeoutMs === undefined) return answered<T>(core, request, send);
  const limit = deadline(core.clock, timeoutMs, signal === undefined ? {} : { signal });
  const { request: tracked, wasSent } = trackSent({ ...send, signal: limit.signal });
  try {
    return await answered<T>(core, request, tracked);
  } catch (error) {
    if (error !== limit.signal.reason || signal?.aborted === true) throw error;
    const { attempt } = request.place;
    throw timedOut({ attempt, method: request.method, timeoutMs, wasSent: wasSent(), cause: error });
  } finally {
    limit.release();
  }
}

async function answered<T>(core: ClientOptions, request: Exchange, send: HttpRequest): Promise<T> {
  const about = aboutOf(request);
  const response = await core.transport(send).catch((error: unknown) => {
    throw unanswered(about, error, send.signal);
  });
  const { onWarning = warningLogger(core.log) } = core;
  handleWarnings(response.headers, onWarning, core.log);
  return decodeResponse<T>(response, about, send.signal === undefined ? {} : { signal: send.signal });
}

/** Opens a watch: what `watchStream` promises. */
export function openWatch<T>(
  core: ClientOptions,
  request: Exchange,
  { signal, silenceMs }: WatchOptions,
): AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  const about = aboutOf(request);
  const { onWarning = warningLogger(core.log) } = core;
  return watchStream<T>(core.transport, httpRequest(about, request), about, {
    clock: core.clock,
    onOpen: (headers) => void handleWarnings(headers, onWarning, core.log),
    ...(signal === undefined ? {} : { signal }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
}

function aboutOf({ method, place: { attempt, group, resource, name } }: Exchange): RequestAbout {
  return { attempt, method, resource: { group, resource }, ...(name === undefined ? {} : { name }) };
}

function httpRequest(
  { attempt }: RequestAbout,
  { method, place, query, accept, contentType = jsonMediaType, body }: Exchange,
): HttpRequest {
  const path = query === "" ? place.path : `${place.path}?${query}`;
  if (body === undefined) return { method, path, headers: { accept }, reportsWarnings: true };
  return { method, path, headers: { accept, "content-type": contentType }, body: encoded(attempt, body), reportsWarnings: true };
}

function encoded(attempt: string, body: unknown): string {
  try {
    // As Go's clients write it: where a server keeps the bytes (a revision's data), patches would otherwise seem to change them.
    return encodeJson(body, { escapeHtml: true });
  } catch (error) {
    throw new TypeError(`${attempt}: the object cannot be written as JSON: ${errorText(error)}`, {
      cause: error,
    });
  }
}
