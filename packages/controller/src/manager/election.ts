/**
 * Creates the leader elector of a manager. Only when the manager stops does it know how much time the leader's work has left, and whether
 * to release the lease.
 *
 *     ManagerOptions.leaderElection → createElection → LeaderElector
 */
import type { Client } from "@drover/client";
import type { Runtime } from "@drover/machinery";
import { LeaderElector } from "../leader/leader-elector.ts";
import type { FenceMirror } from "../leader/fence.ts";
import type { LeaderElectorOptions } from "../leader/leader-elector.ts";
import type { LeaseTimingOptions } from "../leader/lease-timing.ts";

/** Leader election of a manager. */
export interface LeaderElectionOptions
  extends
    LeaseTimingOptions,
    Pick<LeaderElectorOptions, "identity" | "labels" | "releaseOnStop" | "onNewLeader" | "afterMissingLease" | "coordinated"> {
  readonly namespace: string;
  /** Name of the lease: the same for all replicas of this program, and used by no other program. */
  readonly name: string;
  /** Client for the lease. It should not share a rate limit with the controllers. @default the client of the manager's cluster */
  readonly client?: Client;
  /** Whether replicas without the lease fill all caches in advance, so that they can take over immediately. @default true */
  readonly warmStandby?: boolean;
  /**
   * What happens when the lease is lost. "end" rejects `run` with a `LeaderElectionLostError`, so that the process exits and no work in
   * progress survives. "standAgain" aborts everything that needs the lease, waits until it has ended, and competes for the lease again,
   * with caches kept warm; every runnable that needs the lease must then set `runsAgain`, and controllers must come from
   * `manager.controller`.
   * @default "end"
   */
  readonly onLostLease?: "end" | "standAgain";
  /** How long work of an expired term may continue before /healthz fails, in milliseconds. @default 20000 */
  readonly healthToleranceMs?: number;
}

export interface ElectionHooks {
  readonly lead: LeaderElectorOptions["onStartedLeading"];
  /** Returns the time left for the leader's last writes, in milliseconds. Called when the elector stops. */
  readonly drainMs: () => number;
  /** Reports whether all work under the lease has ended, so that the lease can be released. Called when the elector stops. */
  readonly hasEnded: () => boolean;
}

/** Throws like the elector, for empty names and inconsistent durations. */
export function createElection(
  options: LeaderElectionOptions,
  {
    runtime,
    client,
    hooks,
    mirror,
  }: { readonly runtime: Runtime; readonly client: Client; readonly hooks: ElectionHooks; readonly mirror?: FenceMirror | undefined },
): LeaderElector {
  const { namespace, name, releaseOnStop = true } = options;
  return new LeaderElector({
    client,
    ...options,
    runtime,
    mirror,
    lease: { namespace, name },
    onStartedLeading: hooks.lead,
    // The elector reads these when it stops.
    get drainMs() {
      return hooks.drainMs();
    },
    get releaseOnStop() {
      return releaseOnStop && hooks.hasEnded();
    },
  });
}
