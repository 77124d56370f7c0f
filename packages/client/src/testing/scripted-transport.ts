/**
 * A scripted server: records every request and answers from a script.
 *
 *     const server = scriptedTransport([jsonResponse(pod), statusResponse(newNotFound(pods, "web-1"))]);
 *     const client = new RestClient({ transport: server, … });
 *     expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([…]);
 *     server.assertDone();
 */
import { abortable, encodeJson, parseQuery } from "@drover/machinery";
import type { HttpBody, HttpHeaders, HttpRequest, HttpResponse, Query, Status, Transport } from "@drover/machinery";
import { bodyText } from "./body-text.ts";

/** A received request with its body. */
export interface ScriptedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The path without the query. */
  readonly pathname: string;
  readonly query: Query;
  readonly headers: HttpHeaders;
  /** The body as text; "" without one. */
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

/** Returns a response; throwing or rejecting means that the connection fails. */
export type ScriptedResponder = (request: ScriptedRequest, index: number) => HttpResponse | Promise<HttpResponse>;

/** One response per request in order, an `Error` for a connection that fails; or one function for all of them. */
export type Script = readonly (HttpResponse | Error | ScriptedResponder)[] | ScriptedResponder;

/** A `Transport` that records its requests. */
export interface ScriptedTransport extends Transport {
  /** All requests in order, also those without a response. */
  readonly requests: readonly ScriptedRequest[];
  /** Throws if a request had no response in the script, or a response was not used. */
  readonly assertDone: () => void;
}

/** Thrown for a request without a response in the script. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/**
 * Returns a transport that answers from a script.
 *
 * Guarantees: an abort of the request's signal rejects with its reason at every await, also while the response body is read;
 * a request without a response rejects with a {@link ScriptError} that names it, and `assertDone` throws it again in case it
 * was caught.
 */
export function scriptedTransport(script: Script): ScriptedTransport {
  const requests: ScriptedRequest[] = [];
  const unanswered: string[] = [];
  const answerOf = (request: ScriptedRequest, index: number): Promise<HttpResponse> => {
    const answer = typeof script === "function" ? script : script[index];
    if (typeof answer === "function") return (async () => answer(request, index))();
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== undefined) return Promise.resolve(answer);
    const message = `the script has no response for request ${index + 1}: ${request.method} ${request.path}`;
    unanswered.push(message);
    return Promise.reject(new ScriptError(message));
  };
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    const recorded = recordedRequest(request);
    // Takes its index before reading the body, so that concurrent requests keep their order.
    const index = requests.push(recorded) - 1;
    if (request.body !== undefined) requests[index] = { ...recorded, body: await unlessAborted(bodyText(request.body), signal) };
    const response = await unlessAborted(answerOf(requests[index] ?? recorded, index), signal);
    return signal === undefined ? response : { ...response, body: abortableBody(response.body, signal) };
  };
  const assertDone = (): void => {
    if (unanswered.length > 0) throw new ScriptError(unanswered.join("\n"));
    if (typeof script !== "function" && requests.length < script.length)
      throw new ScriptError(`${script.length} responses in the script, but only ${requests.length} requests came`);
  };
  return Object.assign(transport, { requests, assertDone });
}

/** Status and headers of a response. */
export interface ResponseOptions {
  /** @default 200 */
  readonly status?: number;
  /** Added to, and overriding, `content-type`. @default none */
  readonly headers?: HttpHeaders;
}

/** Returns a JSON response. */
export function jsonResponse(value: unknown, { status = 200, headers = {} }: ResponseOptions = {}): HttpResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body: encodeJson(value) };
}

/** Returns the response of an API server that refuses: `statusResponse(newNotFound({ group: "", resource: "pods" }, "web-0"))`. */
export function statusResponse(status: Status, options: ResponseOptions = {}): HttpResponse {
  return jsonResponse(status, { status: status.code ?? 500, ...options });
}

/** Returns a text response, as proxies send it. */
export function textResponse(text: string, { status = 200, headers = {} }: ResponseOptions = {}): HttpResponse {
  return { status, headers: { "content-type": "text/plain", ...headers }, body: text };
}

function recordedRequest({ method, path, headers, signal }: HttpRequest): ScriptedRequest {
  const split = path.indexOf("?");
  const pathname = split === -1 ? path : path.slice(0, split);
  return { method, path, pathname, query: parseQuery(split === -1 ? "" : path.slice(split + 1)), headers, body: "", signal };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? promise : abortable(promise, signal);
}

/** Returns the same body, which fails with the signal's reason when it aborts, and is then destroyed. */
function abortableBody(body: HttpBody, signal: AbortSignal): HttpBody {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      const finish = async (): Promise<IteratorResult<string | Uint8Array, undefined>> => {
        await iterator.return?.();
        return { done: true, value: undefined };
      };
      const next = async (): Promise<IteratorResult<string | Uint8Array, undefined>> => {
        try {
          signal.throwIfAborted();
          return await abortable(iterator.next(), signal);
        } catch (error) {
          // Not awaited: a source that hangs in next() would hang here too.
          if (signal.aborted) finish().catch(() => undefined);
          throw error;
        }
      };
      return { next, return: finish };
    },
  };
}
