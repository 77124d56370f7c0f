/** The state of a controller, as `controller.state()` reports it. */
import type { Watch } from "../sources/source.ts";

/** What has become of the runs of a controller since it was created. Conflicts are retried and are no failures. */
export interface RunTotals {
  readonly ended: number;
  readonly failed: number;
  /** Milliseconds of all runs together. */
  readonly tookMs: number;
  /** Milliseconds that their keys had been ready before. */
  readonly waitedMs: number;
}

/** Snapshot of a controller's state. */
export interface ControllerState {
  readonly name: string;
  readonly phase: "idle" | "syncing" | "running" | "draining" | "ended";
  readonly workers: number;
  readonly active: number;
  readonly ready: number;
  readonly waiting: number;
  readonly parked: number;
  readonly runs: RunTotals;
  readonly watches: readonly Pick<Watch, "name" | "isSynced" | "waitingFor">[];
}
