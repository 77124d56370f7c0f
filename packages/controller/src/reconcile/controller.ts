/**
 * Takes keys from the queue, reconciles each, and acts on the result.
 *
 *     sources → queue → worker: get → reconcile → settle → done
 */
import type { Cluster, ConfirmedWrite } from "@drover/cache";
import type { TransportWrapper } from "@drover/client";
import { definedOnly, sleep, TimeoutError } from "@drover/machinery";
import type { GroupResource, Log, LoopWatchdog, ObjectKey, Random } from "@drover/machinery";
import { createQueue } from "@drover/workqueue";
import type { Debounce, KeyReport, Queue, RateLimiter, Work } from "@drover/workqueue";
import type { Cause, EnqueueCause } from "../causes/cause.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Fence } from "../leader/fence.ts";
import { isFenced } from "../leader/fenced-error.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Shards } from "../shards/shards.ts";
import type { Source, SourceRequest, Watch } from "../sources/source.ts";
import type { RunStart, RunTape, Tape } from "../tape/tape.ts";
import { CacheGate } from "./cache-gate.ts";
import type { ControllerState } from "./controller-state.ts";
import { EchoBrake } from "./echo-brake.ts";
import { reportEcho } from "./report-echo.ts";
import { guardedLimiter } from "./guarded-limiter.ts";
import { guardedTenant } from "./guarded-tenant.ts";
import { HandleWatch } from "./handle-watch.ts";
import type { NamedRun } from "./handle-watch.ts";
import { KeyPace } from "./key-pace.ts";
import { reconcileWatchdog } from "./loop-watchdog.ts";
import { reconcileMetrics } from "./reconcile-metrics.ts";
import type { ReconcileMetrics } from "./reconcile-metrics.ts";
import { ReconcileRun } from "./reconcile-run.ts";
import type { RunOutcome, RunSettings } from "./reconcile-run.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";
import { retryLimiter } from "./retry-policy.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { runClient } from "./run-client.ts";
import { Settlement } from "./settle.ts";
import { ShardGate } from "./shard-gate.ts";
import { Watches } from "./watches.ts";
import { WorkerPool } from "./worker-pool.ts";

export type { ControllerState } from "./controller-state.ts";
export type { RetryPolicy } from "./retry-policy.ts";

/** Options of `createController`. */
export interface ControllerOptions {
  /** Name in metrics, logs and causes; unique within a manager. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly reconcile: Reconciler;
  /**
   * Resource of the keys. If set, a key also waits until the caches show the last write to its object by any client of the cluster, not
   * only by its own runs. @default waits only for writes of its own runs
   */
  readonly resource?: GroupResource;
  /** Number of keys reconciled concurrently. @default 1 */
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
   * Limits how often one object is reconciled, whatever the cause, also retries: `burst` runs at once after a rest, then one per `everyMs`
   * milliseconds. Causes that arrive meanwhile lead to one run. @default no limit; `burst` is 1
   */
  readonly rate?: { readonly everyMs: number; readonly burst?: number };
  /**
   * Deadline of a run, in milliseconds. Then its signal aborts, its client refuses further calls, its key is retried and its worker is
   * free.
   * @default Infinity
   */
  readonly deadlineMs?: number;
  /** How long the sources may take to sync, in milliseconds; then `run` rejects with a `NotSyncedError`. @default 120000 */
  readonly syncTimeoutMs?: number;
  /** How long runs may continue after the controller starts to stop, in milliseconds; then they are aborted. @default 30000 */
  readonly drainMs?: number;
  /**
   * How long a run may block the event loop, in milliseconds. A longer block is counted (`drover_event_loop_blocked_total`), and a warning
   * names the key and the duration, at most once a minute. @default 50
   */
  readonly blockedWarningMs?: number;
  /**
   * How many runs of a key in a row may write if only the previous run's write caused them. Further runs are delayed, from 1 s up to 60 s,
   * until a run writes nothing or another cause arrives. Infinity disables the delay. @default 20
   */
  readonly echoesMax?: number;
  /** Records an Event on the object that such a key keeps writing. @default only a log line */
  readonly events?: EventRecorder;
  /** Permissions its runs need, for the check before the start; sources declare their own. @default none */
  readonly writes?: readonly PermissionNeed[];
  /**
   * Further transport wrappers for requests of its runs, outermost first: a user agent, its own rate limit. A function chooses those of a
   * key, such as the credentials of the key's tenant; it is called once for each run. @default none
   */
  readonly through?: readonly TransportWrapper[] | ((key: ObjectKey) => readonly TransportWrapper[]);
  /** Records its runs. @default no recording */
  readonly tape?: Tape;
  /** Passes writes only while the lease is held. @default no fence */
  readonly fence?: Fence;
  /**
   * Reconciles only keys of the shards that this replica holds, with writes behind the fence of the key's shard instead of `fence`.
   * Requests for other keys are ignored; when a shard is acquired, its sources request everything again. @default all keys
   */
  readonly shards?: Shards;
}

/** Options of `Controller.enqueue`. */
export interface EnqueueOptions {
  /** Delay in milliseconds. @default 0 */
  readonly afterMs?: number;
  /** Priority in the queue; higher runs first. @default 0 */
  readonly priority?: number;
  /** Reason in your own words, shown in the causes of the run. */
  readonly note?: string;
  /** The run that makes the call. */
  readonly parent?: Pick<ReconcileContext, "run" | "key"> & { readonly controller: string };
}

/**
 * Guarantees: never two concurrent runs of one key. No run before every source watched at the start has synced. No key is lost: keys
 * enqueued before the start run after it, and a change during a run leads to another run. Nothing a reconcile does ends the process or
 * blocks other keys.
 */
export interface Controller {
  readonly name: string;
  /** Permissions it needs: `writes` and those of its sources. */
  readonly needs: readonly PermissionNeed[];
  /** Watches a source: immediately, or from the start if called before `run`. */
  watch(source: Source): Watch;
  /** Enqueues a key. With shards, a key of a shard that another replica holds is ignored. */
  enqueue(key: ObjectKey, options?: EnqueueOptions): void;
  /** Changes the number of concurrent runs; runs in progress continue. */
  setWorkers(count: number): void;
  /** Returns the state of a key: ready, waiting, running or parked. */
  inspect(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined;
  inspectAll(): readonly KeyReport<ObjectKey, Cause>[];
  /** Makes a parked key ready with all its attempts; false if it is not parked. */
  unpark(key: ObjectKey): boolean;
  state(): ControllerState;
  /** Starts the sources and waits until they have synced, as `run` does first; for replicas that wait for the lease. */
  warmUp(signal: AbortSignal): Promise<void>;
  /**
   * Reconciles until the signal aborts, then waits for runs in progress and resolves. Can be called once. Rejects with the error of a
   * source or a `NotSyncedError`.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Returns a controller. It accepts keys, but does nothing until it runs or warms up. Throws a RangeError that names an invalid option.
 */
export function createController(options: ControllerOptions): Controller {
  return new QueueController(options);
}

/** How long aborted runs may take to end before the controller stops waiting for them. */
const abortGraceMs = 1000;
/** How often to look again at a key that waits for other replicas; it is resumed before. */
const shardWaitMs = 5000;

class QueueController implements Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #log: Log;
  readonly #metrics: ReconcileMetrics;
  readonly #queue: Queue<ObjectKey, Cause>;
  readonly #watches: Watches;
  readonly #pool: WorkerPool<Cause, ReconcileRun>;
  readonly #watchdog: LoopWatchdog<NamedRun>;
  readonly #handles: HandleWatch;
  readonly #brake: EchoBrake;
  readonly #pace: KeyPace | undefined;
  readonly #settlement: Settlement;
  readonly #gate: CacheGate<Cause>;
  readonly #shardGate: ShardGate | undefined;
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
      blockedWarningMs = 50,
      echoesMax = 20,
      events,
      tenantOf,
      debounce,
      rate,
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
      rateLimiter: limiterOf(retry, random.stream(`retry ${name}`), this.#log),
      ...definedOnly({ maxAttempts: retry.max, tenantOf: guardedTenant(tenantOf, this.#log), debounce }),
    });
    this.#watches = this.#watchesOf(options);
    this.#pool = new WorkerPool({ queue: this.#queue, clock, workers, begin: (work) => this.#begin(work), start: (run) => run.start() });
    this.#watchdog = reconcileWatchdog({
      clock,
      log: this.#log,
      blocked: this.#metrics.blocked,
      warningMs: blockedWarningMs,
      active: () => this.#pool.active,
    });
    this.#handles = new HandleWatch({ openHandles, log: this.#log, leaks: this.#metrics.leaks });
    this.#brake = new EchoBrake({
      echoesMax,
      onSlowed: (echo) => reportEcho(echo, { controller: name, log: this.#log, slowed: this.#metrics.slowed, events }),
    });
    this.#pace = rate && new KeyPace(rate);
    this.#settlement = new Settlement({ queue: this.#queue, metrics: this.#metrics, log: this.#log, clock });
    this.#gate = new CacheGate({
      queue: this.#queue,
      watchedKinds: cluster.watchedKinds,
      waitMaxMs: cluster.readYourWrites.waitMaxMs,
      waits: this.#metrics.cacheWaits,
      resource: options.resource,
    });
    this.#shardGate = this.#gateOf(options);
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
      ...definedOnly({ note, parent: parent && { controller: parent.controller, key: parent.key, run: parent.run } }),
    };
    this.#request(key, { cause, ...definedOnly({ afterMs, priority }) });
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
      runs: this.#settlement.totals(),
      watches: this.#watches.views(),
    };
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    this.#checkAlive();
    this.#watches.startStandby(signal);
    await this.#synced(signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "idle") throw new Error(`controller ${this.name} has already run; create another one to run again`);
    this.#phase = "syncing";
    try {
      this.#watches.checkKeys();
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

  /** Waits for the sources; an abort while waiting is not an error. */
  async #synced(signal: AbortSignal): Promise<void> {
    try {
      await this.#watches.synced(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Resolves when the signal aborts. */
  async #work(signal: AbortSignal): Promise<void> {
    this.#phase = "running";
    this.#pool.start();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Waits for runs to end, then aborts them, then abandons them. */
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
      : new TimeoutError(`controller ${this.name} is stopping, and its runs did not end within ${drainMs} ms`, { cause: reason });
    for (const run of this.#pool.active) run.abort(over);
    await this.#within(abortGraceMs, (signal) => this.#pool.idle(signal));
    for (const run of this.#pool.active) run.abandon(over);
    await this.#within(abortGraceMs, () => sourcesOver);
    this.#watchdog.close();
    this.#shardGate?.close();
    this.#phase = "ended";
  }

  /** Waits for a promise, but at most `limitMs`. */
  async #within(limitMs: number, something: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock } = this.#options.cluster.runtime;
    const over = new AbortController();
    const end = (): void => over.abort();
    await Promise.race([something(over.signal).then(end, end), sleep(clock, limitMs, { signal: over.signal }).then(end, end)]);
  }

  #begin(taken: Work<ObjectKey, Cause>): ReconcileRun | undefined {
    const work = this.#gate.admit(taken);
    if (work === undefined) return undefined;
    const verdict = this.#shardGate?.mayStart(work.key) ?? "now";
    if (verdict === "never") return this.#dropped(work.key);
    if (verdict === "later") return this.#gate.putOff(work, shardWaitMs);
    const startedAt = this.#settings.clock.monotonic();
    const waitMs = this.#brake.waitMs(work, startedAt) || (this.#pace?.waitMs(work.key, startedAt) ?? 0);
    if (waitMs > 0) return this.#gate.putOff(work, waitMs);
    const run = `${this.#runPrefix}-${++this.#runCount}`;
    const { key, causes, causeCount, attempts, waitedMs } = work;
    this.#settlement.began(key);
    const tape = this.#taped({ run, controller: this.name, key, causes, causeCount, attempts, waitedMs });
    this.#metrics.active.add(1);
    this.#watchdog.began(startedAt);
    const begun = new ReconcileRun(this.#settings, { work, run, startedAt, tape });
    this.#shardGate?.began(begun);
    this.#handles.began(begun, this.#pool.active.size + 1);
    return begun;
  }

  /** A tape that fails costs the record of the run, not the run. */
  #taped(start: RunStart): RunTape | undefined {
    try {
      return this.#options.tape?.begin(start);
    } catch (error) {
      this.#log.error("tape failed, this run is not recorded", { key: start.key, run: start.run, error });
      return undefined;
    }
  }

  #ended(run: ReconcileRun, outcome: RunOutcome, now: number): void {
    this.#metrics.active.add(-1);
    this.#watchdog.ended(run, now);
    this.#handles.ended(run, now);
    this.#brake.ended(run.key);
    this.#settlement.settle(run, outcome, now - run.startedAt);
    this.#pool.ended(run);
    this.#shardGate?.runEnded(run.key);
  }

  #gateOf({ shards, cluster, name, drainMs = 30_000 }: ControllerOptions): ShardGate | undefined {
    if (shards === undefined) return undefined;
    return new ShardGate({
      controller: name,
      shards,
      clock: cluster.runtime.clock,
      drainMs,
      abortMs: abortGraceMs,
      active: () => this.#pool.active,
      request: (key, request) => this.#request(key, request),
      replay: (request) => this.#watches.replay(request),
      resume: (key) => this.#gate.resume(key),
    });
  }

  #watchesOf({ name, cluster, shards, syncTimeoutMs = 120_000 }: ControllerOptions): Watches {
    return new Watches({
      controller: name,
      clock: cluster.runtime.clock,
      log: this.#log,
      syncTimeoutMs,
      request: (key, request) => this.#request(key, request),
      ...(shards?.seen && { keysOf: (subject) => this.#shardGate?.follow(subject) ?? ((): void => undefined) }),
    });
  }

  #request(key: ObjectKey, request: SourceRequest): void {
    if (this.#shardGate?.admits(key) !== false) this.#queue.addWith(key, request);
  }

  /** The shard of the key was given up or lost while it waited in the queue. */
  #dropped(key: ObjectKey): undefined {
    this.#queue.forget(key);
    this.#queue.done(key);
  }

  #clientOf(run: ReconcileRun): ReconcileContext["client"] {
    const { cluster, through: wrappers = [] } = this.#options;
    const through = typeof wrappers === "function" ? wrappers(run.key) : wrappers;
    const fence = this.#shardGate?.fenceOf(run) ?? this.#options.fence;
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
  if (typeof name !== "string" || name === "") throw new RangeError("createController: name must not be empty; metrics and logs use it");
  if (typeof reconcile !== "function") throw new TypeError(`createController: reconcile of controller ${name} must be a function`);
  checkWorkers("createController", workers);
  for (const [field, value] of Object.entries({ deadlineMs, syncTimeoutMs, blockedWarningMs, echoesMax })) {
    if (!(value > 0)) throw new RangeError(`createController: ${field} must be above 0, not ${value}; for no limit use Infinity`);
  }
  for (const [field, value] of Object.entries({ drainMs, "retry.max": retry.max ?? 0 })) {
    if (!(value >= 0)) throw new RangeError(`createController: ${field} must be zero or more, not ${value}`);
  }
}

function limiterOf(retry: RetryPolicy, random: Random, log: Log): RateLimiter<ObjectKey> {
  const limiter = retryLimiter(retry, random);
  return limiter === retry.limiter ? guardedLimiter(limiter, log) : limiter;
}

function checkWorkers(where: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${where}: workers must be a whole number above 0, not ${count}`);
}
