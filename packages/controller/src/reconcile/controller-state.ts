/** The state of a controller, as `controller.state()` reports it. */
import type { Watch } from "../sources/source.ts";

/** Snapshot of a controller's state. */
export interface ControllerState {
  readonly name: string;
  readonly phase: "idle" | "syncing" | "running" | "draining" | "ended";
  readonly workers: number;
  readonly active: number;
  readonly ready: number;
  readonly waiting: number;
  readonly parked: number;
  readonly watches: readonly Pick<Watch, "name" | "isSynced" | "waitingFor">[];
}
