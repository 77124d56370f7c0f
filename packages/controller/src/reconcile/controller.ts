/**
 * Takes keys from the queue, reconciles each, and settles what came of it.
 *
 *     sources → queue → worker: get → reconcile → settle → done
 */
import type { Cluster, ConfirmedWrite } from "@drover/cache";
import type { TransportWrapper } from "@drover/client";
import { definedOnly, sleep, TimeoutError } from "@drover/machinery";
import type { GroupResource, Log, ObjectKey } from "@drover/machinery";
import { createQueue } from "@drover/workqueue";
import type { Debounce, KeyReport, Queue, Work } from "@drover/workqueue";
import type { Cause, EnqueueCause } from "../causes/cause.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Fence } from "../leader/fence.ts";
import { isFenced } from "../leader/fenced-error.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Source, Watch } from "../sources/source.ts";
import type { Tape } from "../tape/tape.ts";
import { CacheGate } from "./cache-gate.ts";
import { EchoBrake } from "./echo-brake.ts";
import { tellEcho } from "./tell-echo.ts";
import { HandleWatch } from "./handle-watch.ts";
import { LoopWatchdog } from "./loop-watchdog.ts";
import { reconcileMetrics } from "./reconcile-metrics.ts";
import type { ReconcileMetrics } from "./reconcile-metrics.ts";
import { ReconcileRun } from "./reconcile-run.ts";
import type { RunOutcome, RunSettings } from "./reconcile-run.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";
import { retryLimiter } from "./retry-policy.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { runClient } from "./run-client.ts";
import { Settlement } from "./settle.ts";
import { Watches } from "./watches.ts";
import { WorkerPool } from "./worker-pool.ts";

export type { RetryPolicy } from "./retry-policy.ts";

export interface ControllerOptions {
  /** In metrics, logs and causes; unique in its manager. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly reconcile: Reconciler;
  /**
   * The resource whose keys it reconciles: a key then also waits until caches show the last write to its object by any
   * client of the cluster, not only by its own runs. @default only writes of its own runs are waited for
   */
  readonly resource?: GroupResource;
  /** How many keys are reconciled at a time. @default 1 */
  readonly workers?: number;
  readonly retry?: RetryPolicy;
  /**
   * Returns the tenant of a key, for example its namespace: tenants with ready keys take turns, so that one with many objects does not
   * delay the others. Must not throw. @default one tenant for all keys
   */
  readonly tenantOf?: (key: ObjectKey) => string;
  /**
   * Delays the reconcile of an object that keeps changing: until `afterMs` milliseconds without a change, at most `maxMs` after the first.
   * Does not affect retries and results of `after`. @default no debouncing
   */
  readonly debounce?: Debounce;
  /**
   * After how many milliseconds a run is given up: its signal is aborted, its client refuses further calls, its key is
   * retried and its worker free. @default Infinity
   */
  readonly deadlineMs?: number;
  /** How long the sources may take to sync; then `run` rejects with an account of who has not, and why. @default 120000 */
  readonly syncTimeoutMs?: number;
  /** How long runs may go on once the controller is asked to end; then they are aborted. @default 30000 */
  readonly drainMs?: number;
  /** After how many milliseconds without a turn of the event loop the run that blocked it is named in the log. @default 1000 */
  readonly blockedWarningMs?: number;
  /**
   * How many runs of a key in a row may write because of nothing but what the run before wrote. Further ones wait, a
   * second first and a minute in the
   * end, until one writes nothing or something else happens to the key. Infinity slows nobody down. @default 20
   */
  readonly echoesMax?: number;
  /** Tells people about keys that are slowed down, as an event of the object that is written again and again. @default only the log does */
  readonly events?: EventRecorder;
  /**
   * What its runs must be allowed to do at the server, for the check before the start; what its sources need they say
   * themselves. @default nothing that is checked
   */
  readonly writes?: readonly PermissionNeed[];
  /** What requests of its runs pass besides, the outermost first: a user agent, a rate limit of its own. @default nothing */
  readonly through?: readonly TransportWrapper[];
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
  /**
   * Reconciles until the signal is aborted, then lets runs end and resolves. Can be called once. Rejects with what a
   * source rejects with, and with a `NotSyncedError`.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * A controller; it does nothing until it is run or warmed up, but takes in keys. Throws a RangeError that names the
 * option that cannot be.
 */
export function createController(options: ControllerOptions): Controller {
  return new QueueController(options);
}

/** How long runs may take to notice that they were aborted before they are left behind. */
const abortGraceMs = 1000;

class QueueController implements Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #log: Log;
  readonly #metrics: ReconcileMetrics;
  readonly #queue: Queue<ObjectKey, Cause>;
  readonly #watches: Watches;
  readonly #pool: WorkerPool<Cause, ReconcileRun>;
  readonly #watchdog: LoopWatchdog;
  readonly #handles: HandleWatch;
  readonly #brake: EchoBrake;
  readonly #settlement: Settlement;
  readonly #gate: CacheGate<Cause>;
  readonly #settings: RunSettings;
  readonly #runPrefix: string;
  #runCount = 0;
  #phase: ControllerState["phase"] = "idle";

  constructor(options: ControllerOptions) {
    checkOptions(options);
    const {
      name,
      cluster,
      reconcile,
      workers = 1,
      retry = {},
      deadlineMs = Infinity,
      syncTimeoutMs = 120_000,
      blockedWarningMs = 1000,
      echoesMax = 20,
      events,
      tenantOf,
      debounce,
    } = options;
    const { clock, random, metrics, log, uid, openHandles } = cluster.runtime;
    this.name = name;
    this.#options = options;
    this.#log = log.with({ controller: name });
    this.#metrics = reconcileMetrics(metrics, name);
    this.#metrics.workers.set(workers);
    this.#queue = createQueue({
      clock,
      metrics,
      name,
      rateLimiter: retryLimiter(retry, random.stream(`retry ${name}`)),
      ...definedOnly({ maxAttempts: retry.max, tenantOf, debounce }),
    });
    this.#watches = new Watches({
      controller: name,
      clock,
      log: this.#log,
      syncTimeoutMs,
      request: (key, request) => this.#queue.addWith(key, request),
    });
    this.#pool = new WorkerPool({ queue: this.#queue, clock, workers, begin: (work) => this.#begin(work), start: (run) => run.start() });
    this.#watchdog = new LoopWatchdog({
      clock,
      log: this.#log,
      blocked: this.#metrics.blocked,
      warningMs: blockedWarningMs,
      active: () => this.#pool.active,
    });
    this.#handles = new HandleWatch({ openHandles, log: this.#log, leaks: this.#metrics.leaks });
    this.#brake = new EchoBrake({
      echoesMax,
      onSlowed: (echo) => tellEcho(echo, { controller: name, log: this.#log, slowed: this.#metrics.slowed, events }),
    });
    this.#settlement = new Settlement({ queue: this.#queue, metrics: this.#metrics, log: this.#log });
    this.#gate = new CacheGate({
      queue: this.#queue,
      watchedKinds: cluster.watchedKinds,
      waitMaxMs: cluster.readYourWrites.waitMaxMs,
      waits: this.#metrics.cacheWaits,
      resource: options.resource,
    });
    this.#runPrefix = uid().slice(0, 8);
    this.#settings = {
      controller: name,
      clock,
      log: this.#log,
      reconcile,
      deadlineMs,
      clientOf: (run) => this.#clientOf(run),
      onEnd: (run, outcome, now) => this.#ended(run, outcome, now),
      onStretch: (run, fromMs, toMs) => this.#watchdog.stretch(run, fromMs, toMs),
    };
  }

  get needs(): readonly PermissionNeed[] {
    return [...(this.#options.writes ?? []), ...this.#watches.needs];
  }

  watch(source: Source): Watch {
    this.#checkAlive();
    return this.#watches.add(source);
  }

  enqueue(key: ObjectKey, { afterMs, priority, note, parent }: EnqueueOptions = {}): void {
    const cause: EnqueueCause = {
      type: "enqueue",
      ...definedOnly({ note }),
      ...(parent === undefined ? {} : { parent: { controller: parent.controller, key: parent.key, run: parent.run } }),
    };
    this.#queue.addWith(key, { cause, ...definedOnly({ afterMs, priority }) });
  }

  setWorkers(count: number): void {
    checkWorkers("setWorkers", count);
    this.#metrics.workers.set(count);
    this.#pool.setWorkers(count);
  }

  inspect(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined {
    return this.#queue.inspect(key);
  }

  inspectAll(): readonly KeyReport<ObjectKey, Cause>[] {
    return this.#queue.inspectAll();
  }

  unpark(key: ObjectKey): boolean {
    return this.#queue.unpark(key);
  }

  state(): ControllerState {
    return {
      name: this.name,
      phase: this.#phase,
      workers: this.#pool.workers,
      active: this.#pool.active.size,
      ready: this.#queue.len(),
      waiting: this.#queue.waitingLen(),
      parked: this.#settlement.parkedCount(),
      watches: this.#watches.views(),
    };
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    this.#checkAlive();
    this.#watches.startStandby(signal);
    await this.#synced(signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "idle")
      throw new Error(`controller ${this.name} was started already; a controller can be run once, so create another`);
    this.#phase = "syncing";
    try {
      this.#watches.startForGood();
      if (!signal.aborted) await this.#synced(signal);
      if (!signal.aborted) await this.#work(AbortSignal.any([signal, this.#watches.failed]));
    } finally {
      await this.#end(this.#watches.failed.aborted ? this.#watches.failed.reason : signal.reason);
    }
    this.#watches.failed.throwIfAborted();
  }

  #checkAlive(): void {
    if (this.#phase === "draining" || this.#phase === "ended") throw new Error(`controller ${this.name} has ended; create another`);
  }

  /** An abort while waiting is no failure. */
  async #synced(signal: AbortSignal): Promise<void> {
    try {
      await this.#watches.synced(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Resolves when the signal is aborted. */
  async #work(signal: AbortSignal): Promise<void> {
    this.#phase = "running";
    this.#pool.start();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Lets runs come to their end, then aborts them, then leaves them behind. */
  async #end(reason: unknown): Promise<void> {
    const { drainMs = 30_000 } = this.#options;
    this.#phase = "draining";
    this.#pool.stop();
    const sourcesOver = this.#watches.end(reason);
    this.#queue.shutDown();
    for (const run of this.#pool.active) run.drain(reason);
    const isFencedOff = isFenced(reason);
    if (!isFencedOff) await this.#within(drainMs, (signal) => this.#pool.idle(signal));
    const over = isFencedOff
      ? reason
      : new TimeoutError(`controller ${this.name} is ending, and the ${drainMs} ms its runs had for that are over`, { cause: reason });
    for (const run of this.#pool.active) run.abort(over);
    await this.#within(abortGraceMs, (signal) => this.#pool.idle(signal));
    for (const run of this.#pool.active) run.abandon(over);
    await this.#within(abortGraceMs, () => sourcesOver);
    this.#watchdog.close();
    this.#phase = "ended";
  }

  /** Waits for something, but no longer than this. */
  async #within(limitMs: number, something: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock } = this.#options.cluster.runtime;
    const over = new AbortController();
    const end = (): void => over.abort();
    await Promise.race([something(over.signal).then(end, end), sleep(clock, limitMs, { signal: over.signal }).then(end, end)]);
  }

  #begin(taken: Work<ObjectKey, Cause>): ReconcileRun | undefined {
    const work = this.#gate.admit(taken);
    if (work === undefined) return undefined;
    const startedAt = this.#settings.clock.monotonic();
    const waitMs = this.#brake.waitMs(work, startedAt);
    if (waitMs > 0) return this.#gate.putOff(work, waitMs);
    const run = `${this.#runPrefix}-${++this.#runCount}`;
    const { key, causes, causeCount, attempts, waitedMs } = work;
    this.#settlement.began(key);
    const tape = this.#options.tape?.begin({ run, controller: this.name, key, causes, causeCount, attempts, waitedMs });
    this.#metrics.active.add(1);
    this.#watchdog.began(startedAt);
    const begun = new ReconcileRun(this.#settings, { work, run, startedAt, tape });
    this.#handles.began(begun, this.#pool.active.size + 1);
    return begun;
  }

  #ended(run: ReconcileRun, outcome: RunOutcome, now: number): void {
    this.#metrics.active.add(-1);
    this.#watchdog.ended(run, now);
    this.#handles.ended(run, now);
    this.#brake.ended(run.key);
    this.#settlement.settle(run, outcome, now - run.startedAt);
    this.#pool.ended(run);
  }

  #clientOf(run: ReconcileRun): ReconcileContext["client"] {
    const { cluster, fence, through = [] } = this.#options;
    const onWritten = (write: ConfirmedWrite): void => {
      this.#gate.note(run.key, write);
      this.#brake.wrote(run.key, write);
    };
    return runClient({ cluster, fence, through, controller: this.name, owner: run, tape: run.tape, startedAt: run.startedAt, onWritten });
  }
}

function checkOptions({
  name,
  reconcile,
  workers = 1,
  retry = {},
  deadlineMs = Infinity,
  syncTimeoutMs = 1,
  drainMs = 0,
  blockedWarningMs = 1,
  echoesMax = 1,
}: ControllerOptions): void {
  if (typeof name !== "string" || name === "")
    throw new RangeError("createController: name must say what the controller is called in metrics and logs");
  if (typeof reconcile !== "function") throw new TypeError(`createController: reconcile of controller ${name} must be a function`);
  checkWorkers("createController", workers);
  for (const [field, value] of Object.entries({ deadlineMs, syncTimeoutMs, blockedWarningMs, echoesMax })) {
    if (!(value > 0)) throw new RangeError(`createController: ${field} must be above 0, not ${value}; for no limit use Infinity`);
  }
  for (const [field, value] of Object.entries({ drainMs, "retry.max": retry.max ?? 0 })) {
    if (!(value >= 0)) throw new RangeError(`createController: ${field} must be zero or more, not ${value}`);
  }
}

function checkWorkers(where: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${where}: workers must be a whole number above 0, not ${count}`);
}
