/** Names the reconciles that block the event loop. */
import { LoopWatchdog } from "@drover/machinery";
import type { BoundCounter, Clock, Log } from "@drover/machinery";
import type { NamedRun } from "./handle-watch.ts";

export interface ReconcileWatchdogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Counts every block. */
  readonly blocked: BoundCounter;
  /** Minimum duration of a block, in milliseconds; Infinity disables the watchdog. */
  readonly warningMs: number;
  /** Returns the runs in progress. */
  readonly active: () => Iterable<NamedRun>;
}

export function reconcileWatchdog({ log, ...options }: ReconcileWatchdogOptions): LoopWatchdog<NamedRun> {
  return new LoopWatchdog({
    ...options,
    fieldsOf: ({ key, run }) => ({ key, run }),
    nameOf: ({ key, run }) => `${key} (${run})`,
    warn: (fields) =>
      log.warn("reconcile blocked the event loop: watches, leases and probes had to wait; split long computations into slices", {
        ...fields,
        code: "DRV0413",
      }),
  });
}
