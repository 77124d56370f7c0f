/**
 * Errors of one exchange. They name the request, the server and the limit, and say whether the server may have received the request.
 */
import type { HttpRequest } from "@drover/machinery";
import { definedOnly, isInstanceOf } from "@drover/machinery";
import { attemptOf } from "./request-nature.ts";
import type { BodyFailure } from "./response-body.ts";
import type { ServerAddress } from "./server-address.ts";
import { classifyError, TransportError } from "./transport-error.ts";
import type { TransportFailure } from "./transport-error.ts";
import type { TransportLimits } from "./transport-limits.ts";

/** The exchange that failed. */
export interface FailedExchange extends Pick<TransportFailure, "sent"> {
  readonly request: HttpRequest;
  readonly server: ServerAddress;
  readonly limits: Required<TransportLimits>;
  readonly isStream: boolean;
  /** Whether the connection had carried other requests before. */
  readonly isReused: boolean;
}

/** The response headers did not arrive in time. */
export function headersTimeoutError(failed: FailedExchange): TransportError {
  const { server, limits } = failed;
  return errorOf(failed, `${server.authority} did not answer within ${limits.headersTimeoutMs} ms`, {
    reason: "timeout",
    timeout: "headers",
  });
}

/** The body of the response ended early. */
export function bodyError(failed: FailedExchange, failure: BodyFailure): TransportError {
  const {
    server: { authority },
    limits,
    isStream,
  } = failed;
  if (failure.kind === "idle")
    return errorOf(
      failed,
      `${authority} sent nothing more of the body for ${isStream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs} ms`,
      { reason: "timeout", timeout: "idle" },
    );
  if (failure.kind === "unread")
    return errorOf(failed, `the body of the response was not read for ${limits.idleTimeoutMs} ms`, {
      reason: "timeout",
      timeout: "unread",
    });
  if (failure.kind === "too-large")
    return errorOf(failed, `the body of the response from ${authority} is larger than ${limits.bodyBytesMax} bytes`, {
      reason: "too-large",
    });
  return wireError(failed, failure.error);
}

/** The connection failed; undefined if it was closed in order. */
export function wireError(failed: FailedExchange, error: unknown): TransportError {
  const { reason, code, what } = classifyError(error);
  // Node reports ECONNRESET for both; only a real reset has a syscall.
  const isOrderly = error === undefined || (code === "ECONNRESET" && !(isInstanceOf(error, Error) && "syscall" in error));
  const { authority } = failed.server;
  if (isOrderly)
    return errorOf(failed, `${authority} closed the connection before the response was complete`, {
      reason: "aborted-by-peer",
      cause: error,
    });
  return errorOf(failed, `${authority} ${what}`, { reason, ...definedOnly({ code }), cause: error });
}

/** Any other failure. */
export function errorOf(
  { request, sent, isReused }: FailedExchange,
  what: string,
  failure: Omit<TransportFailure, "sent" | "reused">,
): TransportError {
  return new TransportError(`${attemptOf(request)}: ${what}`, { sent, reused: isReused, ...failure });
}
