/** The three durations of a leader election, and the relations between them that keep two leaders apart. */

/** Durations of a leader election. The defaults are those of Kubernetes' own components. */
export interface LeaseTimingOptions {
  /**
   * How long other candidates wait after they last saw the lease change before they take it. The lease stores whole seconds, rounded down.
   * @default 15 seconds
   */
  readonly leaseDurationMs?: number;
  /** How long the holder relies on the lease, measured from sending the last successful renewal. @default 10 seconds */
  readonly renewDeadlineMs?: number;
  /** Delay between two attempts; candidates extend it randomly by up to 1.2 times. @default 2 seconds */
  readonly retryPeriodMs?: number;
}

/** Complete and checked durations. */
export type LeaseTiming = Required<LeaseTimingOptions>;

/** Random extension of a candidate's delays, so that candidates do not all try at once. */
export const retryJitter = 1.2;

/** Maximum value of the field: 2^31−1. */
const durationSecondsMax = 2 ** 31 - 1;

/**
 * Fills in the defaults. Throws a `RangeError` unless leaseDuration > renewDeadline > 1.2 × retryPeriod > 0: a holder must stop before
 * another may start, and needs time for more than one attempt before that.
 */
export function leaseTiming({
  leaseDurationMs = 15_000,
  renewDeadlineMs = 10_000,
  retryPeriodMs = 2000,
}: LeaseTimingOptions = {}): LeaseTiming {
  for (const [name, value] of Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })) {
    if (!(value > 0) || value === Infinity) throw new RangeError(`${name} must be a positive number of milliseconds, not ${value}`);
  }
  const recordedMs = durationSeconds(leaseDurationMs) * 1000;
  if (recordedMs <= renewDeadlineMs) {
    const cut = recordedMs === leaseDurationMs ? "" : ` (the lease holds whole seconds: ${recordedMs})`;
    throw new RangeError(
      `leaseDurationMs, ${leaseDurationMs}${cut}, must be greater than renewDeadlineMs, ${renewDeadlineMs}: the holder must stop before another may start`,
    );
  }
  if (renewDeadlineMs <= retryJitter * retryPeriodMs) {
    throw new RangeError(
      `renewDeadlineMs, ${renewDeadlineMs}, must be greater than ${retryJitter} × retryPeriodMs, ${retryJitter * retryPeriodMs}: one lost request must not cost the lease`,
    );
  }
  if (durationSeconds(leaseDurationMs) > durationSecondsMax)
    throw new RangeError(`leaseDurationMs, ${leaseDurationMs}, exceeds the maximum of a lease, ${durationSecondsMax} seconds`);
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** Returns the duration as stored in the lease. */
export function durationSeconds(leaseDurationMs: number): number {
  return Math.floor(leaseDurationMs / 1000);
}

/** Returns the timeout of one request: two fit before the deadline, so that one that hangs does not cost the lease. */
export function requestTimeoutMs({ renewDeadlineMs }: Pick<LeaseTiming, "renewDeadlineMs">): number {
  return Math.max(1000, renewDeadlineMs / 2);
}
