/** Options and state of a manager. */
import type { Cluster, InformerState } from "@drover/cache";
import type { MetricsRegistry, Runtime, Transport } from "@drover/machinery";
import type { ControllerOptions, ControllerState } from "../reconcile/controller.ts";
import type { Listen } from "../serving/listen.ts";
import type { ShardsView } from "../shards/shards.ts";
import type { Tape } from "../tape/tape.ts";
import type { ManagerThread } from "../threads/thread-member.ts";
import type { ManagerThreads } from "../threads/thread-team.ts";
import type { LeaderElectionOptions } from "./election.ts";
import type { Runnable } from "./runnable.ts";
import type { ShardsOptions } from "./sharding.ts";

/** Runtime with metrics that can be read for /metrics. */
export interface ManagerRuntime extends Runtime {
  readonly metrics: MetricsRegistry;
}

/** Serves /healthz, /livez, /readyz and /metrics on one port, without authentication. */
export interface ServingOptions {
  readonly listen: Listen;
  /** Address to listen on. @default "", all addresses of this machine */
  readonly host?: string;
  /** Port to listen on; 0 lets the system choose one. @default 8080 */
  readonly port?: number;
  /** Further handlers by path, such as "/debug/why". @default none */
  readonly handlers?: Readonly<Record<string, Transport>>;
  /**
   * How long an informer may hear nothing from the server before /readyz fails, in milliseconds; servers send bookmarks every minute.
   * @default 300000
   */
  readonly informerSilenceMs?: number;
  /** How long the event loop may be blocked before /healthz fails, in milliseconds. @default 10000 */
  readonly blockedMs?: number;
}

/** Options of `createManager`. */
export interface ManagerOptions {
  /** Must be the runtime of its clusters; otherwise /metrics does not show their metrics. */
  readonly runtime: ManagerRuntime;
  /** Default cluster of controllers, and the cluster of the lease. */
  readonly cluster: Cluster;
  /** Lets one replica at a time run what needs the lease. @default no leader election: everything runs from the start */
  readonly leaderElection?: LeaderElectionOptions;
  /**
   * Shares the keys of controllers among replicas: each holds some shards, and reconciles only their keys. Not together with
   * `leaderElection`, where one replica does everything. @default every replica reconciles all keys
   */
  readonly shards?: ShardsOptions;
  /** Serves probes and metrics. @default no port is opened */
  readonly serving?: ServingOptions;
  /**
   * Grace period for the whole shutdown, in milliseconds. 0 waits for no runnable and leaves the lease to expire; Infinity waits without
   * limit. @default 30000
   */
  readonly graceMs?: number;
  /**
   * How long the caches that controllers requested before the start may take to sync, in milliseconds. Then `run` rejects with a
   * `NotSyncedError` that names the caches and reasons. @default 120000
   */
  readonly syncTimeoutMs?: number;
  /**
   * Whether to ask the server, before controllers start, if the program has the permissions they need; if not, `run` rejects with a
   * `MissingPermissionsError`. Runnables added later are not checked. @default "check"
   */
  readonly permissions?: "check" | "off";
  /** Name of the roles that the error about missing permissions prints. @default the name of the lease, or "drover-controller" */
  readonly roleName?: string;
  /** Records the runs of controllers created with `manager.controller`. @default no recording */
  readonly tape?: Tape;
  /**
   * Reconciles in threads of this process instead of here: this manager has leases, probes and other runnables, and starts threads that run
   * the same program with `thread`. @default controllers run here
   */
  readonly threads?: ManagerThreads;
  /** Makes this manager one of those threads: it runs only its part of the keys, and has no leases and no port. @default no thread */
  readonly thread?: ManagerThread;
}

/** Overrides the runnable's own settings. */
export interface RunnableOptions extends Pick<Runnable, "needsLease" | "group"> {
  /** Cluster in which the runnable needs its permissions. @default the manager's cluster */
  readonly cluster?: Cluster;
}

/** Options of `createController`, except tape, fence and shards, which the manager supplies. */
export interface ManagedControllerOptions extends Omit<ControllerOptions, "cluster" | "fence" | "shards" | "tape"> {
  /** Cluster of the controller; add another one with `addCluster` first. @default the manager's cluster */
  readonly cluster?: Cluster;
  /**
   * Whether it runs only while the lease is held, with its writes behind the fence; with shards, whether it reconciles only keys of shards
   * that are held. @default true
   */
  readonly needsLease?: boolean;
  /**
   * How long runs may continue after the manager starts to stop, in milliseconds; then they are aborted and the rest of the grace period is
   * left for them to end. @default 0.8 × graceMs of the manager
   */
  readonly drainMs?: number;
}

/** Phase of a manager, in order. */
export type ManagerPhase = "idle" | "starting" | "running" | "stopping" | "ended";

/** Snapshot of a manager's state. */
export interface ManagerState {
  readonly phase: ManagerPhase;
  /** Absent without leader election. */
  readonly election?: {
    readonly lease: string;
    readonly isLeader: boolean;
    /** Identity of the last observed leader; empty if there was none. */
    readonly leader: string;
  };
  /** Absent without shards. */
  readonly shards?: ShardsView;
  /** Address of probes and metrics; absent while the port is closed. */
  readonly address?: string;
  /** Names of the runnables that run, in the order of groups. */
  readonly running: readonly string[];
  readonly controllers: readonly ControllerState[];
  readonly clusters: readonly { readonly name: string; readonly informers: readonly InformerState[] }[];
}
