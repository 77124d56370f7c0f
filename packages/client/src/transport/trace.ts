/** Tells an observer about every attempt: enough to draw it, nothing that could be a secret. No header, no body, no name, no query. */
import type { Clock } from "@drover/machinery";
import { attemptCounter } from "./attempt-counter.ts";
import { pathTemplate } from "./path-template.ts";
import { isTransportError } from "./transport-error.ts";
import type { TransportErrorReason } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** An attempt that begins. */
export interface TracedRequest {
  readonly method: string;
  /** "/api/v1/namespaces/{namespace}/pods/{name}" */
  readonly pathTemplate: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** How it went. */
export interface TracedOutcome {
  /** Until the head of the answer was there. */
  readonly durationMs: number;
  /** Absent when there was no answer. */
  readonly status?: number;
  /** Absent when there was one. "aborted" when somebody stopped waiting. */
  readonly failure?: TransportErrorReason | "aborted" | "other";
}

export interface TraceOptions {
  readonly clock: Clock;
  /** Called when an attempt begins; what it returns is called when it is over. What either throws is dropped: watching must not disturb. */
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
