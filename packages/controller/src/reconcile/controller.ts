/**
 * Takes keys from the queue, reconciles each, and settles what came of it.
 *
 *     sources → queue → worker: get → reconcile → settle → done
 */
import type { KeyReport } from "@drover/workqueue";
import type { ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Fence } from "../leader/fence.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Source, Watch } from "../sources/source.ts";
import type { Tape } from "../tape/tape.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";

/** How failed keys are tried again. */
export interface RetryPolicy {
  /** The first pause, which then doubles, in milliseconds. @default 5 */
  readonly baseMs?: number;
  /** The longest pause, in milliseconds. @default 1000000 */
  readonly capMs?: number;
  /** By how much a pause may be longer than that, as a fraction of it, so that keys that failed together do not come together. @default 0.2 */
  readonly jitter?: number;
  /** How many retries a key gets; then it is parked until something happens to it. kube-controller-manager has 15. @default Infinity */
  readonly max?: number;
}

export interface ControllerOptions {
  /** In metrics, logs and causes; unique in its manager. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly reconcile: Reconciler;
  /** How many keys are reconciled at a time. @default 1 */
  readonly workers?: number;
  readonly retry?: RetryPolicy;
  /** After how many milliseconds a run is given up: its signal is aborted, its client refuses further calls, its key is retried and its worker free. @default Infinity */
  readonly deadlineMs?: number;
  /** How long the sources may take to sync; then `run` rejects with an account of who has not, and why. @default 120000 */
  readonly syncTimeoutMs?: number;
  /** How long runs may go on once the controller is asked to end; then they are aborted. @default 30000 */
  readonly drainMs?: number;
  /** After how many milliseconds without a turn of the event loop the run that blocked it is named in the log. @default 1000 */
  readonly blockedWarningMs?: number;
  /** What its runs must be allowed to do at the server, for the check before the start; what its sources need they say themselves. @default nothing that is checked */
  readonly writes?: readonly PermissionNeed[];
  /** Where runs are taped. @default not at all */
  readonly tape?: Tape;
  /** Only while the lease is held are its writes let through. @default without a lease */
  readonly fence?: Fence;
}

/** How a controller is doing. A copy: nothing in it changes later. */
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

export interface EnqueueOptions {
  /** @default now */
  readonly afterMs?: number;
  /** @default 0 */
  readonly priority?: number;
  /** Why, in your own words: it stands in the causes of the run. */
  readonly note?: string;
  /** The run in which this is asked for. */
  readonly parent?: Pick<ReconcileContext, "run" | "key"> & { readonly controller: string };
}

/**
 * Guarantees: never two runs on one key; no run before every source that was watched at the start has synced; no key is lost: what is asked
 * for before the start is reconciled after it, and a change during a run leads to one more; nothing a reconcile does ends the process or
 * keeps another key from its turn.
 */
export interface Controller {
  readonly name: string;
  /** What it must be allowed to do at the server: `writes`, and what the sources that are watched say. */
  readonly needs: readonly PermissionNeed[];
  /** Watches one more source, now or, before `run`, from the start. */
  watch(source: Source): Watch;
  enqueue(key: ObjectKey, options?: EnqueueOptions): void;
  /** Changes how many keys are reconciled at a time; runs under way end as they would. */
  setWorkers(count: number): void;
  /** How a key stands: ready, waiting, running, parked. */
  inspect(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined;
  inspectAll(): readonly KeyReport<ObjectKey, Cause>[];
  /** Gives a parked key all its attempts again; false when it is not parked. */
  unpark(key: ObjectKey): boolean;
  state(): ControllerState;
  /** Starts the sources and waits until they have synced, as `run` does first; for a standby that is to be warm. */
  warmUp(signal: AbortSignal): Promise<void>;
  /** Reconciles until the signal is aborted, then lets runs end and resolves. Can be called once. Rejects with what a source rejects with, and with a `NotSyncedError`. */
  run(signal: AbortSignal): Promise<void>;
}
