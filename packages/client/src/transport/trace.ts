/**
 * Reports every attempt to an observer, without anything that could be a secret: no header, body, name or query.
 */
import type { Clock } from "@drover/machinery";
import { attemptCounter } from "./attempt-counter.ts";
import { pathTemplate } from "./path-template.ts";
import { isTransportError } from "./transport-error.ts";
import type { TransportErrorReason } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** An attempt that starts. */
export interface TracedRequest {
  readonly method: string;
  /** "/api/v1/namespaces/{namespace}/pods/{name}" */
  readonly pathTemplate: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** Result of an attempt. */
export interface TracedOutcome {
  /** Until the response headers arrived. */
  readonly durationMs: number;
  /** Absent without a response. */
  readonly status?: number;
  /** Absent with a response. "aborted" if the caller aborted. */
  readonly failure?: TransportErrorReason | "aborted" | "other";
}

export interface TraceOptions {
  readonly clock: Clock;
  /**
   * Called when an attempt starts; the returned function is called when it ends. Exceptions of both are ignored: tracing
   * must not affect requests.
   */
  readonly onRequest: (request: TracedRequest) => ((outcome: TracedOutcome) => void) | undefined;
}

/** Calls `onRequest` around every attempt. */
export function trace({ clock, onRequest }: TraceOptions): TransportWrapper {
  const attemptOf = attemptCounter();
  return (next) => async (request) => {
    const started = clock.monotonic();
    const finished = quietly(() =>
      onRequest({ method: request.method, pathTemplate: pathTemplate(request.path), attempt: attemptOf(request) }),
    );
    const finish = (outcome: Omit<TracedOutcome, "durationMs">): void => {
      quietly(() => finished?.({ durationMs: clock.monotonic() - started, ...outcome }));
    };
    try {
      const response = await next(request);
      finish({ status: response.status });
      return response;
    } catch (error) {
      finish({ failure: isTransportError(error) ? error.reason : request.signal?.aborted === true ? "aborted" : "other" });
      throw error;
    }
  };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
