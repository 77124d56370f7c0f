/**
 * Tells failures of the connection from writes that may have happened. A read that fails has failed; a write whose answer is lost may be
 * done, and whoever asked for it must look before doing it again.
 */
import type { HttpBody, HttpRequest } from "@drover/machinery";
import { UnknownOutcomeError } from "@drover/machinery";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { isTransportError } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** Turns a `TransportError` of a write that may have been sent, also one in the middle of its answer, into an `UnknownOutcomeError`. */
export function writeOutcome(): TransportWrapper {
  return (next) => async (request) => {
    if (isSafe(request) || isStream(request)) return next(request);
    try {
      const response = await next(request);
      return typeof response.body === "string" || response.body instanceof Uint8Array ? response : { ...response, body: watched(response.body, request) };
    } catch (error) {
      throw outcomeOf(error, request);
    }
  };
}

function outcomeOf(error: unknown, request: HttpRequest): unknown {
  if (!isTransportError(error) || error.sent === "no") return error;
  return new UnknownOutcomeError({ attempt: attemptOf(request), why: error.message, cause: error });
}

function watched(body: Exclude<HttpBody, string | Uint8Array>, request: HttpRequest): Exclude<HttpBody, string | Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      return {
        next: () => iterator.next().catch((error: unknown) => {
          throw outcomeOf(error, request);
        }),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
