/** What a manager is made of, and how it is doing: the types on both sides of `createManager`. */
import type { Cluster, InformerState } from "@drover/cache";
import type { MetricsRegistry, Runtime, Transport } from "@drover/machinery";
import type { ControllerOptions, ControllerState } from "../reconcile/controller.ts";
import type { Listen } from "../serving/listen.ts";
import type { Tape } from "../tape/tape.ts";
import type { LeaderElectionOptions } from "./election.ts";
import type { Runnable } from "./runnable.ts";

/** Clock, chance, log, and metrics that can be shown. */
export interface ManagerRuntime extends Runtime {
  readonly metrics: MetricsRegistry;
}

/** /healthz, /livez, /readyz and /metrics, on one port. Whoever can reach it can read it. */
export interface ServingOptions {
  readonly listen: Listen;
  /** @default "", every address of this machine */
  readonly host?: string;
  /** @default 8080 */
  readonly port?: number;
  /** What else is served there, by path: "/debug/why". @default nothing */
  readonly handlers?: Readonly<Record<string, Transport>>;
  /**
   * How long an informer may hear nothing from the server until /readyz falls, in milliseconds; the server lets hear
   * from itself every minute. @default 300000
   */
  readonly informerSilenceMs?: number;
  /** How long the event loop may be blocked until /healthz falls, in milliseconds. @default 10000 */
  readonly blockedMs?: number;
}

export interface ManagerOptions {
  /** The one that its clusters were made with, or else /metrics does not show their metrics. */
  readonly runtime: ManagerRuntime;
  /** Where controllers work that name no other, and where the lease is. */
  readonly cluster: Cluster;
  /** @default without: whatever needs a lease runs at once */
  readonly leaderElection?: LeaderElectionOptions;
  /** @default nothing is served */
  readonly serving?: ServingOptions;
  /**
   * How long everything may take to end, in milliseconds. 0 waits for nobody and leaves the lease to expire; Infinity
   * waits for as long as it takes. @default 30000
   */
  readonly graceMs?: number;
  /**
   * How long the caches that are asked for before the start may take to sync; then `run` rejects with a
   * `NotSyncedError` that says who has not, and why. @default 120000
   */
  readonly syncTimeoutMs?: number;
  /**
   * Whether the server is asked, before controllers start, if this program may do what they need; `run` rejects with a
   * `MissingPermissionsError`. What is added later is not asked about. @default "check"
   */
  readonly permissions?: "check" | "off";
  /** Where runs of controllers that are made here are taped. @default not at all */
  readonly tape?: Tape;
}

/** Says otherwise than the runnable itself does. */
export interface RunnableOptions extends Pick<Runnable, "needsLease" | "group"> {
  /** The cluster whose permissions it needs. @default the manager's */
  readonly cluster?: Cluster;
}

/** The same as for `createController`; tape and fence are the manager's. */
export interface ManagedControllerOptions extends Omit<ControllerOptions, "cluster" | "fence" | "tape"> {
  /** @default the manager's; another one must have been added before */
  readonly cluster?: Cluster;
  /** Whether it runs only while the lease is held, with its writes behind the fence. @default true */
  readonly needsLease?: boolean;
  /**
   * How long runs may go on once the manager is asked to end; then they are aborted, with time left to notice. @default
   * four fifths of the manager's grace
   */
  readonly drainMs?: number;
}

export type ManagerPhase = "idle" | "starting" | "running" | "stopping" | "ended";

/** How a manager is doing. A copy: nothing in it changes later. */
export interface ManagerState {
  readonly phase: ManagerPhase;
  /** Absent without leader election. */
  readonly election?: {
    readonly lease: string;
    readonly isLeader: boolean;
    /** Who led when it was last looked at; empty when nobody did. */ readonly leader: string;
  };
  /** Where probes and metrics are served; absent while they are not. */
  readonly address?: string;
  /** The names of what runs, in the order of groups. */
  readonly running: readonly string[];
  readonly controllers: readonly ControllerState[];
  readonly clusters: readonly { readonly name: string; readonly informers: readonly InformerState[] }[];
}
