/**
 * Distinguishes failed requests from writes that may have happened. A failed read has failed; a write whose response is lost
 * may have been executed, and the caller must check before repeating it.
 */
import type { HttpRequest } from "@drover/machinery";
import { UnknownOutcomeError } from "@drover/machinery";
import { guardedBody, isWhole } from "./guarded-body.ts";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { isTransportError } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** Turns a `TransportError` of a write that may have been sent, also while reading its response, into an `UnknownOutcomeError`. */
export function writeOutcome(): TransportWrapper {
  return (next) => async (request) => {
    if (isSafe(request) || isStream(request)) return next(request);
    try {
      const response = await next(request);
      return isWhole(response.body)
        ? response
        : { ...response, body: guardedBody(response.body, { failed: (error) => outcomeOf(error, request) }) };
    } catch (error) {
      throw outcomeOf(error, request);
    }
  };
}

function outcomeOf(error: unknown, request: HttpRequest): unknown {
  if (!isTransportError(error) || error.sent === "no") return error;
  return new UnknownOutcomeError({ attempt: attemptOf(request), why: error.message, cause: error });
}
