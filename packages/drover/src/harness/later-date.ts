/**
 * Runs a synchronous function at a later time of day: with a `Date` that is ahead. A pure function does not notice.
 *
 *     desired → laterDate(desired again) → the same result, or a time in it
 */

/** More than a second: times are often cut to seconds. */
const aheadMs = 1001;

/** Calls `work` with a global `Date` that is 1,001 ms ahead, and restores it. Assumes: `work` is synchronous. */
export function laterDate(work: () => void): void {
  const Real = globalThis.Date;
  const nowMs = Real.now() + aheadMs;
  const Later = new Proxy(Real, {
    apply: () => new Real(nowMs).toString(),
    construct: (_target, given: unknown[], newTarget) => Reflect.construct(Real, given.length === 0 ? [nowMs] : given, newTarget) as object,
    get: (target, name) => (name === "now" ? () => nowMs : (Reflect.get(target, name) as unknown)),
  });
  globalThis.Date = Later;
  try {
    work();
  } finally {
    globalThis.Date = Real;
  }
}
