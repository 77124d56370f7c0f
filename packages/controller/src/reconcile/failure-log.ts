/**
 * The log of failed runs: one line says which controller and object, what failed, why, what to do, and when it is tried again. The same
 * failure of the same key is counted instead of repeated.
 *
 *     Failed → FailureLog.failed → Log;   key → FailureLog.succeeded → Log
 */
import { budget, definedOnly, errorText, formatDuration, reasonForError } from "@drover/machinery";
import type { Clock, Log, ObjectKey } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";
import { failureFix } from "./failure-fix.ts";

/** A run that failed. */
export interface FailedRun {
  readonly key: ObjectKey;
  readonly run: string;
  /** Failures in a row before this one. */
  readonly attempts: number;
  readonly error: unknown;
  readonly isConflict: boolean;
  readonly isParked: boolean;
  /** Undefined when the controller is stopping. */
  readonly retryInMs: number | undefined;
}

interface Told {
  /** The beginning of the error's message. */
  readonly text: string;
  /** Failures with this message in a row. */
  times: number;
  /** When a line about it was written last. */
  lineMs: number;
}

const keys = budget({
  name: "controller/failure-log",
  limit: 1_000,
  unit: "items",
  atLimit: "the log forgets which failure of the oldest key it has written, and writes its next one",
  uncounted: "Nothing is lost: a failure is written once more than needed.",
});
const textMax = 500;
/** A failure that goes on is written this often at least. */
const silenceMs = 5 * 60_000;

/**
 * Conflicts in a row that count as normal. More mean that two writers fight over an object, or that an apply sets a field of another
 * owner.
 */
const quietConflictsMax = 5;

/** Writes at level debug what it does not write at a higher level, so that every failure can be seen. */
export class FailureLog {
  readonly #log: Log;
  readonly #clock: Clock;
  /** In the order of their last failure. */
  readonly #told = new Map<ObjectKey, Told>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  failed(failed: FailedRun): void {
    const { key, run, attempts, error, isConflict, isParked, retryInMs } = failed;
    const reason = reasonForError(error);
    const { fix, code = problemCode(error) } = failureFix(error) ?? {};
    const fields = {
      key,
      error,
      ...(reason === "" ? {} : { reason }),
      ...definedOnly({ fix, code }),
      attempts,
      run,
    };
    if (isParked) {
      this.#told.delete(key);
      this.#log.warn("reconcile failed too often, parking the key until its next event or a call of unpark", {
        ...fields,
        code: "DRV0409",
      });
      return;
    }
    const retryIn = retryInMs === undefined ? "never: the controller is stopping" : formatDuration(Math.round(retryInMs));
    if (isConflict && attempts < quietConflictsMax) {
      this.#log.debug("conflict with another writer, retrying", { ...fields, retryIn });
      return;
    }
    const { times, isDue } = this.#count(key, errorText(error).slice(0, textMax));
    const line = { ...fields, retryIn, ...(times > 1 ? { times } : {}) };
    if (!isDue) this.#log.debug("reconcile failed as before", line);
    else if (isConflict)
      this.#log.warn("persistent conflict: another writer keeps changing the object, or owns a field that this apply sets", {
        ...line,
        code: "DRV0405",
      });
    else this.#log.error("reconcile failed", line);
  }

  /** Called for every key that ends without a failure. */
  succeeded(key: ObjectKey): void {
    if (this.#told.size === 0) return;
    const told = this.#told.get(key);
    if (told === undefined) return;
    this.#told.delete(key);
    this.#log.info("reconciled after failures", { key, times: told.times });
  }

  /** Counts a failure, and says whether a line about it is due: the first, second, fourth, eighth … time, and after a silence. */
  #count(key: ObjectKey, text: string): { readonly times: number; readonly isDue: boolean } {
    const nowMs = this.#clock.monotonic();
    const before = this.#told.get(key);
    const told: Told = before?.text === text ? before : { text, times: 0, lineMs: nowMs };
    told.times++;
    const isDue = Number.isInteger(Math.log2(told.times)) || nowMs - told.lineMs >= silenceMs;
    if (isDue) told.lineMs = nowMs;
    this.#told.delete(key);
    this.#told.set(key, told);
    if (this.#told.size > keys.limit) this.#forgetOldest();
    return { times: told.times, isDue };
  }

  #forgetOldest(): void {
    for (const oldest of this.#told.keys()) {
      this.#told.delete(oldest);
      return;
    }
  }
}
