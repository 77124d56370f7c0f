/**
 * Tells failures of the connection from writes that may have happened. A read that fails has failed; a write whose answer is lost may be
 * done, and whoever asked for it must look before doing it again.
 */
import type { HttpRequest } from "@drover/machinery";
import { UnknownOutcomeError } from "@drover/machinery";
import { guardedBody, isWhole } from "./guarded-body.ts";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { isTransportError } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** Turns a `TransportError` of a write that may have been sent, also one in the middle of its answer, into an `UnknownOutcomeError`. */
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
