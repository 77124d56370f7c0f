/** The three durations of an election, and the relations between them that keep two leaders apart. */

/** How long is how long. The defaults are those of Kubernetes' own components. */
export interface LeaseTimingOptions {
  /**
   * How long others wait, after they have seen the record change for the last time, before they take the lease. The record holds whole
   * seconds; what is left is cut off. @default 15 seconds
   */
  readonly leaseDurationMs?: number;
  /** How long the holder counts on the lease, from the moment it sent the last renewal that succeeded. @default 10 seconds */
  readonly renewDeadlineMs?: number;
  /** The pause between two attempts; a candidate lengthens each by up to 1.2 times itself, at random. @default 2 seconds */
  readonly retryPeriodMs?: number;
}

/** The same, complete and checked. */
export type LeaseTiming = Required<LeaseTimingOptions>;

/** Lengthens the pauses of candidates, so that they do not all come at the same moment. */
export const retryJitter = 1.2;

/** The largest number the record can hold: 2^31−1. */
const durationSecondsMax = 2 ** 31 - 1;

/**
 * Fills in the defaults. Throws a `RangeError` unless leaseDuration > renewDeadline > 1.2 × retryPeriod > 0: a holder must have stopped
 * before anybody may follow it, and must have time for more than one attempt before that.
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
      `leaseDurationMs, ${leaseDurationMs}${cut}, must be greater than renewDeadlineMs, ${renewDeadlineMs}: the holder must stop before another may begin`,
    );
  }
  if (renewDeadlineMs <= retryJitter * retryPeriodMs) {
    throw new RangeError(
      `renewDeadlineMs, ${renewDeadlineMs}, must be greater than ${retryJitter} × retryPeriodMs, ${retryJitter * retryPeriodMs}: one lost request must not cost the lease`,
    );
  }
  if (durationSeconds(leaseDurationMs) > durationSecondsMax)
    throw new RangeError(`leaseDurationMs, ${leaseDurationMs}, is longer than a lease can say (${durationSecondsMax} seconds)`);
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** As the record says it. */
export function durationSeconds(leaseDurationMs: number): number {
  return Math.floor(leaseDurationMs / 1000);
}

/** How long one request about the lease may take: two of them fit before the deadline, so that one that hangs does not cost the lease. */
export function requestTimeoutMs({ renewDeadlineMs }: Pick<LeaseTiming, "renewDeadlineMs">): number {
  return Math.max(1000, renewDeadlineMs / 2);
}
