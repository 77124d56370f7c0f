/**
 * Retries idempotent work of a program's start: a single conflict, busy server or lost response must not end the program.
 *
 *     persist(work) → work → passing failure → backoff → work …; the deadline → an error that names the last failure
 */
import { isCredentialError, isResponseError, isTransportError } from "@drover/client";
import {
  deadline,
  definedOnly,
  errorText,
  findApiError,
  isConflict,
  isInstanceOf,
  isOutcomeUnknown,
  isTimeoutError,
  sleep,
  TimeoutError,
} from "@drover/machinery";
import type { Clock } from "@drover/machinery";

export interface PersistOptions {
  readonly clock: Clock;
  /** What is attempted, for the error: "install widgets.example.com". */
  readonly what: string;
  /** How long to retry, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Attempts after which a 500 is final, such as that of a conversion webhook that rejects the object. @default no limit but the time */
  readonly brokenMax?: number;
}

const delayMinMs = 250;
const delayMaxMs = 10_000;

/**
 * Calls `work` until it succeeds. Failures that do not pass by themselves are final. Rejects with a `TimeoutError` that names the last
 * failure when the time is over, and with the reason of the signal.
 */
export async function persist<T>(work: (signal: AbortSignal) => Promise<T>, options: PersistOptions): Promise<T> {
  const { clock, what, timeoutMs, signal, brokenMax = Infinity } = options;
  const { signal: limit, release } = deadline(clock, timeoutMs, definedOnly({ signal }));
  let last: unknown;
  let broken = 0;
  try {
    for (let delayMs = delayMinMs; ; delayMs = Math.min(2 * delayMs, delayMaxMs)) {
      try {
        return await work(limit);
      } catch (error) {
        if (limit.aborted || !isPassing(error)) throw error;
        if (findApiError(error)?.code === 500 && ++broken >= brokenMax) throw error;
        last = error;
      }
      const askedMs = (findApiError(last)?.retryAfterSeconds ?? 0) * 1000;
      await sleep(clock, Math.max(delayMs, askedMs), { signal: limit });
    }
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    const failure = error === limit.reason ? (last ?? error) : error;
    throw new TimeoutError(`${what}: gave up after ${timeoutMs} ms; the last attempt failed: ${errorText(failure)}`, { cause: failure });
  } finally {
    release();
  }
}

/** A failure of the current attempt only. */
export class PassingError extends Error {
  override readonly name = "PassingError";
}

/** Reports whether the next attempt may succeed. */
function isPassing(error: unknown): boolean {
  if (isInstanceOf(error, PassingError) || isConflict(error) || isOutcomeUnknown(error) || isTimeoutError(error)) return true;
  if (isResponseError(error)) return !isLasting(error.cause);
  const code = findApiError(error)?.code ?? 0;
  return code === 429 || code >= 500;
}

/** Reports whether an error persists until the configuration changes. */
function isLasting(cause: unknown): boolean {
  if (isCredentialError(cause)) return cause.reason === "setup";
  return isTransportError(cause) && (cause.reason === "tls" || cause.reason === "closed" || cause.reason === "invalid-request");
}
