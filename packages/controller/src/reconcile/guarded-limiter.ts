/** Keeps a failing rate limiter of a user from losing keys. */
import type { Log, ObjectKey } from "@drover/machinery";
import type { RateLimiter } from "@drover/workqueue";

/**
 * Returns the limiter, except that `forget` and `numRequeues` never throw: they are called between a run and the release of its key. The
 * first such failure is logged. What `when` throws reaches the caller, which chooses another delay.
 */
export function guardedLimiter(limiter: RateLimiter<ObjectKey>, log: Log): RateLimiter<ObjectKey> {
  let isLogged = false;
  const guarded = <R>(key: ObjectKey, work: () => R, otherwise: R): R => {
    try {
      return work();
    } catch (error) {
      if (!isLogged) log.error("rate limiter failed to forget a key, its next retry may wait longer", { key, error });
      isLogged = true;
      return otherwise;
    }
  };
  return {
    when: (key) => limiter.when(key),
    forget: (key) => guarded(key, () => limiter.forget(key), undefined),
    numRequeues: (key) => guarded(key, () => limiter.numRequeues(key), 0),
  };
}
