/**
 * One handler and its life: called in order, one change at a time, apart from all the others.
 *
 *     StoreChange → idle? called on the spot : HandlerBuffer → called when it is free → failed? again, later
 */
import { Latch, isThenable, stepBackoff } from "@drover/machinery";
import type { Backoff, Clock, KubeObject, Log, ObjectKey, Random } from "@drover/machinery";
import type { Change, StoreChange } from "../store/change.ts";
import { HandlerBuffer } from "./handler-buffer.ts";
import { handlerProblem } from "./handler-problem.ts";
import { LineLimit } from "./line-limit.ts";

/** Is told what happened. A promise is waited for before the next change is told to this handler. */
export type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void | PromiseLike<void>;

export interface HandlerOptions {
  /** For logs, metrics and errors. @default the function's own name, or "handler" with a number */
  readonly name?: string;
  /** How often a change is told again after the handler failed on it; then it is given up and reported. @default 5 */
  readonly retriesMax?: number;
  /** The pauses between these attempts; other keys go on meanwhile. @default 100 ms, doubling up to 30 s, each up to a fifth longer */
  readonly retryBackoff?: Backoff;
  /**
   * After how many milliseconds a call that has not settled is taken for failed and the next change is told; the call
   * itself cannot be stopped. @default Infinity
   */
  readonly timeoutMs?: number;
  /** After how many milliseconds of one call a warning is logged. @default 60000 */
  readonly warnAfterMs?: number;
  /**
   * Tells every object about once in this many milliseconds although nothing changed, as an `Updated` with `isResync`; spread over the
   * period, from the cache alone. The first round begins after one period, or later where the handler has not synced by
   * then. At least 1000; 0 is never.
   * @default 0
   */
  readonly resyncMs?: number;
}

/** How a handler is doing. */
export interface HandlerState {
  readonly name: string;
  readonly hasSynced: boolean;
  /** Keys with something to tell. */
  readonly pendingKeys: number;
  /** The call that has not settled yet: its key, and for how long it runs. */
  readonly running: { readonly key: ObjectKey; readonly ms: number } | undefined;
  readonly errors: number;
  /** Changes that were given up. */
  readonly givenUp: number;
}

/** The place of one handler with one informer. */
export interface HandlerRegistration {
  readonly name: string;
  /** Whether the informer has synced and this handler has returned from every object that was there at the beginning. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced`; rejects with the signal's reason, or when the handler is removed before. */
  synced(signal: AbortSignal): Promise<void>;
  /** Nothing more is told from now on; a call under way ends by itself. Doing it twice does no harm. */
  remove(): void;
  state(): HandlerState;
}

export interface RunnerMetrics {
  /** A call failed, a change was given up, or one was merged into another that waited. */
  count(what: "error" | "givenUp" | "merged"): void;
  /** So many keys wait now. */
  pending(keys: number): void;
}

export interface RunnerDeps<T extends KubeObject> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly handler: ChangeHandler<T>;
  readonly name: string;
  /** How long it may go on without letting others run. */
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
 * Guarantees: changes of one key are told in order and none while another is being told; a failure reaches nobody else; a change is told
 * until the handler returns or the retries are used up; what waits is bounded by the number of keys.
 */
export class HandlerRunner<T extends KubeObject> implements HandlerRegistration {
  readonly #synced = new Latch();
  readonly #removed = new AbortController();
  readonly #deps: RunnerDeps<T>;
  readonly #options: Required<Pick<HandlerOptions, "retriesMax" | "retryBackoff" | "timeoutMs" | "warnAfterMs">>;
  readonly #buffer = new HandlerBuffer<T>();
  readonly #log: LineLimit;
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

  /** Aborted when it is removed. */
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

  /** Tells a change, at once when nothing else is going on. */
  tell(change: StoreChange<T>): void {
    if (this.#isRemoved) return;
    if (this.#call === undefined && this.#buffer.size === 0) {
      this.#run(change);
      // Only what the handler itself brought about can be waiting now.
      if (this.#buffer.hasReady && this.#call === undefined) this.#later();
      return;
    }
    this.push(change);
    // The deletion of the last object that was still to be told leaves nothing to tell, and no call after which anybody would look.
    if (!this.#synced.isOpen) this.#checkSynced();
    this.#wake();
  }

  /** Lets a change wait, whatever is going on; `flush` begins. */
  push(change: StoreChange<T>): void {
    if (this.#buffer.push(change)) this.#deps.metrics.count("merged");
    else this.#deps.metrics.pending(this.#buffer.size);
  }

  /** Begins with what waits, in a turn of its own: whoever registers a handler is not called back before it has the registration. */
  flush(): void {
    if (this.#buffer.hasReady && this.#call === undefined) this.#later();
  }

  /** The first list of the informer has been told: what is pending now is all there was at the beginning. */
  sourceSynced(): void {
    this.#isSourceSynced = true;
    this.#checkSynced();
  }

  /** Nothing more is told; a call under way ends by itself. */
  remove(): void {
    if (this.#isRemoved) return;
    this.#removed.abort();
    this.#buffer.clear();
    this.#cancelTurn?.();
    for (const { cancel } of this.#failures.values()) cancel();
    this.#failures.clear();
    this.#cancelWatch?.();
    this.#synced.break(new Error(`handler ${JSON.stringify(this.name)} was removed before it had synced`));
    this.#deps.onRemoved(this);
  }

  /** Resolves when the call under way has settled; undefined when there is none. */
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
    // A call that was left behind has been counted already; what it does now is its own affair.
    if (this.#call !== call) return;
    if (failure === undefined) this.#succeeded(call.change);
    else this.#failed(call.change, failure.error);
    this.#goOn();
  }

  /** One timer for all calls, not one for each: it is set for the time at which the present call could be late, and then looks again. */
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
      this.#failed(call.change, new Error(`the handler has not settled after ${timeoutMs} ms; it was left behind`));
      this.#goOn();
    } else if (ms >= warnAfterMs && !call.isWarned) {
      call.isWarned = true;
      log.warn("a handler has been busy with one change for long; its other changes wait", {
        handler: this.name,
        key: call.change.key,
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
      this.#log.line((leftOut) => log.error(`${handlerProblem(error)}; the change is given up`, { ...about, leftOut }));
    } else {
      const [delayMs, next] = stepBackoff(backoff, random);
      this.#log.line((leftOut) =>
        log.warn(`${handlerProblem(error)}; the change will be told again`, { ...about, afterMs: Math.round(delayMs), leftOut }),
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
    // Promises that settle at once could go on for ever without letting a timer or a socket have its turn.
    if (this.#deps.clock.monotonic() - this.#sliceStartMs >= this.#deps.sliceMs) this.#later();
    else this.#drain();
  }

  #wake(): void {
    if (this.#call !== undefined || this.#cancelTurn !== undefined) return;
    this.#sliceStartMs = this.#deps.clock.monotonic();
    this.#drain();
  }

  #drain(): void {
    const { clock, sliceMs } = this.#deps;
    while (this.#call === undefined) {
      const change = this.#buffer.take();
      if (change === undefined) return;
      this.#deps.metrics.pending(this.#buffer.size);
      this.#run(change);
      if (this.#isRemoved) return;
      if (this.#call === undefined && this.#buffer.hasReady && clock.monotonic() - this.#sliceStartMs >= sliceMs) {
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
