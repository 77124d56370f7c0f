/**
 * The elector of a manager: how long the leader's work may still take, and whether the lease may be given back, is known only at the end.
 *
 *     ManagerOptions.leaderElection → createElection → LeaderElector
 */
import type { Client } from "@drover/client";
import type { Runtime } from "@drover/machinery";
import { LeaderElector } from "../leader/leader-elector.ts";
import type { LeaderElectorOptions } from "../leader/leader-elector.ts";
import type { LeaseTimingOptions } from "../leader/lease-timing.ts";

export interface LeaderElectionOptions
  extends LeaseTimingOptions, Pick<LeaderElectorOptions, "identity" | "labels" | "releaseOnStop" | "onNewLeader"> {
  readonly namespace: string;
  /** The name of the lease; the same for all replicas, and for nobody else. */
  readonly name: string;
  /** The way to the lease: not through a rate limit that the work shares. @default the client of the manager's cluster */
  readonly client?: Client;
  /**
   * Whether a candidate that waits warms up what it will run, so that it can take over at once: all caches are filled
   * on every replica. @default true
   */
  readonly warmStandby?: boolean;
  /**
   * What a lost lease means. "end" ends `run` with a `LeaderElectionLostError`, for the process to exit: nothing that was under way can
   * outlive it. "standAgain" aborts what needs the lease, waits for it, and stands again, on a warm standby with caches
   * as they are; each of those
   * runnables must then say `runsAgain`, and a controller comes from `manager.controller`. @default "end"
   */
  readonly onLostLease?: "end" | "standAgain";
  /** How long the work of an expired term may go on before /healthz says so. @default 20000 */
  readonly healthToleranceMs?: number;
}

export interface ElectionHooks {
  readonly lead: LeaderElectorOptions["onStartedLeading"];
  /** How long the leader's last writes may take from now on, in milliseconds. Asked at the end. */
  readonly drainMs: () => number;
  /** Whether all that ran under the lease has ended, so that it may be given back. Asked at the end. */
  readonly hasEnded: () => boolean;
}

/** Throws as the elector does: for names that are empty, and durations that cannot work together. */
export function createElection(
  options: LeaderElectionOptions,
  { runtime, client, hooks }: { readonly runtime: Runtime; readonly client: Client; readonly hooks: ElectionHooks },
): LeaderElector {
  const { namespace, name, releaseOnStop = true } = options;
  return new LeaderElector({
    client,
    ...options,
    runtime,
    lease: { namespace, name },
    onStartedLeading: hooks.lead,
    // Read by the elector when it is told to stop.
    get drainMs() {
      return hooks.drainMs();
    },
    get releaseOnStop() {
      return releaseOnStop && hooks.hasEnded();
    },
  });
}
