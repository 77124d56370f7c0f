/**
 * The seam to the outside world. Whatever needs time, chance, ids, a log or metrics is handed a `Runtime`; nothing below the facade
 * reads a clock or rolls dice by itself. With a manual clock and a seed a whole run is a function of that seed.
 */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Random } from "./random.ts";

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  /** A new random uid (RFC 4122, version 4). */
  readonly uid: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How many timers, sockets and other handles are open by now, to find who leaves them behind. @default nobody knows */
  readonly openHandles?: () => number;
}
