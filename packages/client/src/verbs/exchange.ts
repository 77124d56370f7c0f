/**
 * One request and its response, for every client of this package: from place and options to a decoded object.
 *
 *     DynamicClient, Subresources … → exchange, openWatch → rest/ → Transport
 */
import { callSafely, deadline, encodeJson, errorText, jsonMediaType } from "@drover/machinery";
import type { HttpRequest, HttpResponse, WatchEvent } from "@drover/machinery";
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
  /** Content type of the body. @default JSON */
  readonly contentType?: string;
  /** Sent as JSON. @default no body */
  readonly body?: unknown;
}

/**
 * Sends a request and decodes its response; does not check that it is a `T`. Rejects with an `ApiError` that names the
 * operation, a `ResponseError`, or the signal's reason. When `timeoutMs` is over, rejects with a `TimeoutError`, or with an
 * `UnknownOutcomeError` for a write that was sent and so may have happened.
 */
export async function exchange<T>(core: ClientOptions, request: Exchange, options: CallOptions): Promise<T> {
  const { onFailure } = core;
  if (onFailure === undefined) return exchanged<T>(core, request, options);
  try {
    return await exchanged<T>(core, request, options);
  } catch (error) {
    callSafely(
      () => onFailure(error),
      () => undefined,
    );
    throw error;
  }
}

async function exchanged<T>(core: ClientOptions, request: Exchange, { signal, timeoutMs }: CallOptions): Promise<T> {
  signal?.throwIfAborted();
  const about = aboutOf(request);
  if (timeoutMs === undefined) return answered<T>(core, about, httpRequest(about, request, signal));
  const limit = deadline(core.clock, timeoutMs, signal === undefined ? {} : { signal });
  const { request: tracked, wasSent } = trackSent(httpRequest(about, request, limit.signal));
  try {
    return await answered<T>(core, about, tracked);
  } catch (error) {
    if (error !== limit.signal.reason || signal?.aborted === true) throw error;
    const { attempt } = request.place;
    throw timedOut({ attempt, method: request.method, timeoutMs, wasSent: wasSent(), cause: error });
  } finally {
    limit.release();
  }
}

async function answered<T>(core: ClientOptions, about: RequestAbout, send: HttpRequest): Promise<T> {
  let response: HttpResponse;
  try {
    response = await core.transport(send);
  } catch (error) {
    throw unanswered(about, error, send.signal);
  }
  if (response.headers["warning"] !== undefined) handleWarnings(response.headers, core.onWarning ?? warningLogger(core.log), core.log);
  return decodeResponse<T>(response, about, send);
}

/** Opens a watch, with the guarantees of `watchStream`. */
export function openWatch<T>(
  core: ClientOptions,
  request: Exchange,
  { signal, silenceMs }: WatchOptions,
): AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  const about = aboutOf(request);
  const { onWarning = warningLogger(core.log) } = core;
  return watchStream<T>(core.transport, httpRequest(about, request, undefined), about, {
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
  signal: AbortSignal | undefined,
): HttpRequest {
  const request: Pick<HttpRequest, "method" | "path" | "headers" | "reportsWarnings"> & { body?: string; signal?: AbortSignal } = {
    method,
    path: query === "" ? place.path : `${place.path}?${query}`,
    headers: body === undefined ? { accept } : { accept, "content-type": contentType },
    reportsWarnings: true,
  };
  if (body !== undefined) request.body = encoded(attempt, body);
  if (signal !== undefined) request.signal = signal;
  return request;
}

function encoded(attempt: string, body: unknown): string {
  try {
    // As Go's clients encode it: where a server keeps the bytes (a revision's data), a patch would otherwise seem to change
    // them.
    return encodeJson(body, { escapeHtml: true });
  } catch (error) {
    throw new TypeError(`${attempt}: the object cannot be encoded as JSON: ${errorText(error)}`, {
      cause: error,
    });
  }
}
