/**
 * Runs one handler: delivers changes in order, one at a time, independently of other handlers.
 *
 *     StoreChange → idle? called at once : HandlerBuffer → called when it is idle → failed? retried later
 */
import { Latch, TurnKeeper, isThenable, stepBackoff } from "@drover/machinery";
import type { Backoff, Clock, KubeObject, Log, ObjectKey, Random } from "@drover/machinery";
import type { Change, StoreChange } from "../store/change.ts";
import { HandlerBuffer } from "./handler-buffer.ts";
import { handlerProblem } from "./handler-problem.ts";
import { LineLimit } from "./line-limit.ts";

/** Receives a change. If it returns a promise, this handler receives the next change after the promise settles. */
export type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void | PromiseLike<void>;

/** Options of `addHandler`. */
export interface HandlerOptions {
  /** Name in logs, metrics and errors. @default the name of the function, or "handler" with a number */
  readonly name?: string;
  /** Maximum number of retries of a failed change; then it is dropped and logged. @default 5 */
  readonly retriesMax?: number;
  /** Backoff between retries; other keys are delivered meanwhile. @default 100 ms, doubling to 30 s, with 20 % jitter */
  readonly retryBackoff?: Backoff;
  /**
   * Timeout of a call in milliseconds: after it the call counts as failed, and the next change is delivered. The call itself
   * cannot be stopped. @default Infinity
   */
  readonly timeoutMs?: number;
  /** Milliseconds after which a running call logs a warning. @default 60000 */
  readonly warnAfterMs?: number;
  /**
   * Resync period in milliseconds: repeats every object about once per period as an `Updated` with `isResync`, spread over the period,
   * from the cache. The first round starts after one period, or later if the handler has not synced by then. At least 1000; 0 means
   * never.
   * @default 0
   */
  readonly resyncMs?: number;
}

/** State of a handler. */
export interface HandlerState {
  readonly name: string;
  readonly hasSynced: boolean;
  /** Number of keys with pending changes. */
  readonly pendingKeys: number;
  /** The running call: its key and its duration so far. */
  readonly running: { readonly key: ObjectKey; readonly ms: number } | undefined;
  readonly errors: number;
  /** Number of dropped changes. */
  readonly givenUp: number;
}

/** Registration of one handler with an informer. */
export interface HandlerRegistration {
  readonly name: string;
  /** Whether the informer has synced and this handler has processed every initial object. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` is true; rejects with the signal's reason, or if the handler is removed first. */
  synced(signal: AbortSignal): Promise<void>;
  /** Stops the delivery of changes; a running call finishes. A second call does nothing. */
  remove(): void;
  state(): HandlerState;
}

export interface RunnerMetrics {
  /** Counts a failed call, a dropped change, or a merged change. */
  count(what: "error" | "givenUp" | "merged"): void;
  /** Sets the number of pending keys. */
  pending(keys: number): void;
}

export interface RunnerDeps<T extends KubeObject> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly handler: ChangeHandler<T>;
  readonly name: string;
  /** Maximum time in milliseconds before it yields to the event loop. */
  readonly sliceMs: number;
  readonly metrics: RunnerMetrics;
  readonly onRemoved: (runner: HandlerRunner<T>) => void;
}

interface Call<T extends KubeObject> {
  readonly change: StoreChange<T>;
  readonly sinceMs: number;
  isWarned: boolean;
  settled: Promise<void> | undefined;
}

const defaultBackoff: Backoff = { duration: 100, factor: 2, steps: 20, cap: 30_000, jitter: 0.2 };

/**
 * Guarantees: calls do not overlap, and changes of one key arrive in order; a failure affects no other handler; a change is retried until
 * the handler succeeds or the retries are used up; pending changes are bounded by the number of keys.
 */
export class HandlerRunner<T extends KubeObject> implements HandlerRegistration {
  readonly #synced = new Latch();
  readonly #removed = new AbortController();
  readonly #deps: RunnerDeps<T>;
  readonly #options: Required<Pick<HandlerOptions, "retriesMax" | "retryBackoff" | "timeoutMs" | "warnAfterMs">>;
  readonly #buffer = new HandlerBuffer<T>();
  readonly #log: LineLimit;
  readonly #turns: TurnKeeper;
  readonly #failures = new Map<ObjectKey, { readonly count: number; readonly backoff: Backoff; readonly cancel: () => void }>();
  #call: Call<T> | "calling" | undefined;
  #isSourceSynced = false;
  #initialRunning = 0;
  #errors = 0;
  #givenUp = 0;
  #sliceStartMs = 0;
  #cancelTurn: (() => void) | undefined;
  #cancelWatch: (() => void) | undefined;

  constructor(
    deps: RunnerDeps<T>,
    { retriesMax = 5, retryBackoff = defaultBackoff, timeoutMs = Infinity, warnAfterMs = 60_000 }: HandlerOptions,
  ) {
    this.#deps = deps;
    this.#turns = new TurnKeeper(deps);
    this.#log = new LineLimit({ clock: deps.clock, linesPerSecond: 10 });
    this.#options = { retriesMax, retryBackoff, timeoutMs, warnAfterMs };
  }

  get name(): string {
    return this.#deps.name;
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  /** Aborted when the handler is removed. */
  get removal(): AbortSignal {
    return this.#removed.signal;
  }

  state(): HandlerState {
    const call = this.#call;
    const running =
      call === undefined || call === "calling" ? undefined : { key: call.change.key, ms: this.#deps.clock.monotonic() - call.sinceMs };
    return {
      name: this.name,
      hasSynced: this.#synced.isOpen,
      pendingKeys: this.#buffer.size,
      running,
      errors: this.#errors,
      givenUp: this.#givenUp,
    };
  }

  /** Delivers a change, at once if the handler is idle. */
  tell(change: StoreChange<T>): void {
    if (this.#isRemoved) return;
    if (this.#call === undefined && this.#buffer.size === 0) {
      this.#run(change);
      // Only changes that the handler itself caused can be pending now.
      if (this.#buffer.hasReady && this.#call === undefined) this.#later();
      return;
    }
    this.push(change);
    // Deleting the last pending initial object leaves nothing to deliver, so no later call would check this.
    if (!this.#synced.isOpen) this.#checkSynced();
    this.#wake();
  }

  /** Buffers a change; `flush` starts the delivery. */
  push(change: StoreChange<T>): void {
    if (this.#buffer.push(change)) this.#deps.metrics.count("merged");
    else this.#deps.metrics.pending(this.#buffer.size);
  }

  /** Starts the delivery in a later turn, so that no handler is called before `addHandler` has returned its registration. */
  flush(): void {
    if (this.#buffer.hasReady && this.#call === undefined) this.#later();
  }

  /** Marks the end of the first list: what is pending now completes the initial objects. */
  sourceSynced(): void {
    this.#isSourceSynced = true;
    this.#checkSynced();
  }

  /** Stops the delivery; a running call finishes. */
  remove(): void {
    if (this.#isRemoved) return;
    this.#removed.abort();
    this.#buffer.clear();
    this.#cancelTurn?.();
    this.#turns.close();
    for (const { cancel } of this.#failures.values()) cancel();
    this.#failures.clear();
    this.#cancelWatch?.();
    this.#synced.break(new Error(`handler ${JSON.stringify(this.name)} was removed before it had synced`));
    this.#deps.onRemoved(this);
  }

  /** Resolves when the running call has settled; undefined if there is none. */
  get settled(): Promise<void> | undefined {
    return typeof this.#call === "object" ? this.#call.settled : undefined;
  }

  get #isRemoved(): boolean {
    return this.#removed.signal.aborted;
  }

  #run(change: StoreChange<T>): void {
    this.#call = "calling";
    this.#initialRunning = Number(change.type === "added" && change.isInInitialList);
    let result: unknown;
    try {
      result = this.#deps.handler(change);
    } catch (error) {
      this.#failed(change, error);
      return;
    }
    if (isThenable(result)) this.#await(change, result);
    else this.#succeeded(change);
  }

  #await(change: StoreChange<T>, result: PromiseLike<unknown>): void {
    const sinceMs = this.#deps.clock.monotonic();
    if (!this.#buffer.hasReady) this.#sliceStartMs = sinceMs;
    const call: Call<T> = { change, sinceMs, isWarned: false, settled: undefined };
    this.#call = call;
    call.settled = Promise.resolve(result).then(
      () => this.#settled(call),
      (error: unknown) => this.#settled(call, { error }),
    );
    this.#watchCalls();
  }

  #settled(call: Call<T>, failure?: { readonly error: unknown }): void {
    // A call that timed out was counted already; ignore its result.
    if (this.#call !== call) return;
    if (failure === undefined) this.#succeeded(call.change);
    else this.#failed(call.change, failure.error);
    this.#goOn();
  }

  /** Uses one timer for all calls: it fires when the current call could be late, and then checks again. */
  #watchCalls(): void {
    const { timeoutMs, warnAfterMs } = this.#options;
    const call = this.#call;
    if (this.#cancelWatch !== undefined || typeof call !== "object") return;
    const limitMs = call.isWarned ? timeoutMs : Math.min(timeoutMs, warnAfterMs);
    if (limitMs === Infinity) return;
    this.#cancelWatch = this.#deps.clock.timer(call.sinceMs + limitMs - this.#deps.clock.monotonic(), () => {
      this.#cancelWatch = undefined;
      if (typeof this.#call === "object") this.#checkLate(this.#call);
      this.#watchCalls();
    });
  }

  #checkLate(call: Call<T>): void {
    const { clock, log } = this.#deps;
    const { timeoutMs, warnAfterMs } = this.#options;
    const ms = clock.monotonic() - call.sinceMs;
    if (ms >= timeoutMs) {
      this.#failed(call.change, new Error(`the handler did not settle within ${timeoutMs} ms`));
      this.#goOn();
    } else if (ms >= warnAfterMs && !call.isWarned) {
      call.isWarned = true;
      log.warn("handler is slow, its other changes wait", {
        handler: this.name,
        key: call.change.key,
        code: "DRV0503",
        change: call.change.type,
        afterMs: warnAfterMs,
      });
    }
  }

  #succeeded({ key }: StoreChange<T>): void {
    this.#call = undefined;
    this.#initialRunning = 0;
    if (this.#failures.size > 0) this.#failures.delete(key);
    if (!this.#synced.isOpen) this.#checkSynced();
  }

  #failed(change: StoreChange<T>, error: unknown): void {
    this.#call = undefined;
    this.#initialRunning = 0;
    if (this.#isRemoved) return;
    const { clock, random, log } = this.#deps;
    this.#errors++;
    this.#deps.metrics.count("error");
    const { key } = change;
    const { count, backoff } = this.#failures.get(key) ?? { count: 0, backoff: this.#options.retryBackoff };
    const about = { handler: this.name, key, change: change.type, attempt: count + 1, error };
    if (count >= this.#options.retriesMax) {
      this.#givenUp++;
      this.#failures.delete(key);
      this.#deps.metrics.count("givenUp");
      this.#log.line((leftOut) => log.error(`${handlerProblem(error)}, dropping the change`, { ...about, leftOut, code: "DRV0512" }));
    } else {
      const [delayMs, next] = stepBackoff(backoff, random);
      this.#log.line((leftOut) =>
        log.warn(`${handlerProblem(error)}, retrying the change`, { ...about, afterMs: Math.round(delayMs), leftOut }),
      );
      this.#buffer.hold(change);
      const cancel = clock.timer(delayMs, () => {
        this.#buffer.release(key);
        this.#wake();
      });
      this.#failures.set(key, { count: count + 1, backoff: next, cancel });
    }
    this.#checkSynced();
  }

  #goOn(): void {
    if (this.#isRemoved || this.#call !== undefined || !this.#buffer.hasReady || this.#cancelTurn !== undefined) return;
    // Promises that settle at once could otherwise starve timers and sockets.
    if (this.#turns.isOver(this.#sliceStartMs)) this.#later();
    else this.#drain();
  }

  #wake(): void {
    if (this.#call !== undefined || this.#cancelTurn !== undefined) return;
    this.#sliceStartMs = this.#deps.clock.monotonic();
    this.#drain();
  }

  #drain(): void {
    while (this.#call === undefined) {
      const change = this.#buffer.take();
      if (change === undefined) return;
      this.#deps.metrics.pending(this.#buffer.size);
      this.#run(change);
      if (this.#isRemoved) return;
      if (this.#call === undefined && this.#buffer.hasReady && this.#turns.isOver(this.#sliceStartMs)) {
        this.#later();
        return;
      }
    }
  }

  #later(): void {
    this.#cancelTurn ??= this.#deps.clock.timer(0, () => {
      this.#cancelTurn = undefined;
      this.#wake();
    });
  }

  #checkSynced(): void {
    if (this.#isSourceSynced && this.#initialRunning === 0 && this.#buffer.initialCount === 0) this.#synced.open();
  }
}
