/**
 * A server of ten lines: keeps every request and answers from a script.
 *
 *     const server = scriptedTransport([jsonResponse(pod), statusResponse(newNotFound(pods, "web-1"))]);
 *     const client = new RestClient({ transport: server, … });
 *     expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([…]);
 *     server.assertDone();
 */
import { abortable, encodeJson, parseQuery } from "@drover/machinery";
import type { HttpBody, HttpHeaders, HttpRequest, HttpResponse, Query, Status, Transport } from "@drover/machinery";
import { bodyText } from "./body-text.ts";

/** A request as it came, its body read. */
export interface ScriptedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The path without the query. */
  readonly pathname: string;
  readonly query: Query;
  readonly headers: HttpHeaders;
  /** The body as text; "" when there was none. */
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

/** Makes an answer; what it throws, or rejects with, is the connection failing. */
export type ScriptedResponder = (request: ScriptedRequest, index: number) => HttpResponse | Promise<HttpResponse>;

/** One answer per request in order, an `Error` being a connection that fails; or one function for all of them. */
export type Script = readonly (HttpResponse | Error | ScriptedResponder)[] | ScriptedResponder;

/** A `Transport` that can be asked what went through it. */
export interface ScriptedTransport extends Transport {
  /** Every request so far, in order, those without an answer included. */
  readonly requests: readonly ScriptedRequest[];
  /** Throws when a request had no answer in the script, or an answer was never asked for. */
  readonly assertDone: () => void;
}

/** Thrown at a request for which the script has no answer. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/**
 * A transport that answers from a script.
 *
 * Guarantees: an abort of the request's signal rejects with its reason at every await, also while the answer's body is read; a request
 * that the script does not know rejects with a {@link ScriptError} that names it, and `assertDone` repeats it in case somebody caught it.
 */
export function scriptedTransport(script: Script): ScriptedTransport {
  const requests: ScriptedRequest[] = [];
  const unanswered: string[] = [];
  const answerOf = (request: ScriptedRequest, index: number): Promise<HttpResponse> => {
    const answer = typeof script === "function" ? script : script[index];
    if (typeof answer === "function") return (async () => answer(request, index))();
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== undefined) return Promise.resolve(answer);
    const message = `the script has no answer for request ${index + 1}: ${request.method} ${request.path}`;
    unanswered.push(message);
    return Promise.reject(new ScriptError(message));
  };
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    const recorded = recordedRequest(request);
    // Its place is taken before the body is read, so that requests sent together keep the order in which they were sent.
    const index = requests.push(recorded) - 1;
    if (request.body !== undefined) requests[index] = { ...recorded, body: await unlessAborted(bodyText(request.body), signal) };
    const response = await unlessAborted(answerOf(requests[index] ?? recorded, index), signal);
    return signal === undefined ? response : { ...response, body: abortableBody(response.body, signal) };
  };
  const assertDone = (): void => {
    if (unanswered.length > 0) throw new ScriptError(unanswered.join("\n"));
    if (typeof script !== "function" && requests.length < script.length)
      throw new ScriptError(`${script.length} answers in the script, but only ${requests.length} requests came`);
  };
  return Object.assign(transport, { requests, assertDone });
}

/** How an answer differs from the plain one. */
export interface ResponseOptions {
  /** @default 200 */
  readonly status?: number;
  /** Added to, and stronger than, `content-type`. @default none */
  readonly headers?: HttpHeaders;
}

/** An answer of JSON. */
export function jsonResponse(value: unknown, { status = 200, headers = {} }: ResponseOptions = {}): HttpResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body: encodeJson(value) };
}

/** The answer of an API server that refuses: `statusResponse(newNotFound({ group: "", resource: "pods" }, "web-0"))`. */
export function statusResponse(status: Status, options: ResponseOptions = {}): HttpResponse {
  return jsonResponse(status, { status: status.code ?? 500, ...options });
}

/** An answer of text, as proxies give it. */
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

/** The same body, which fails with the signal's reason once that is aborted, and is then destroyed. */
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
