/**
 * Everything nondeterministic: time, random numbers, ids, log and metrics come from a `Runtime`; nothing below the facade reads a
 * clock or a random source itself. With a manual clock and a seed, a whole run is a function of that seed.
 */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Random } from "./random.ts";

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  /** Returns a new random uid (RFC 4122, version 4). */
  readonly uid: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Returns the number of open timers, sockets and other handles, to find leaks. @default unknown */
  readonly openHandles?: () => number;
}
