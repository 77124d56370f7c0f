/**
 * Queue of deltas in the order of the server, between the reflector and the store.
 *
 *     reflector → DeltaQueue → informer
 *
 * A replace is one delta, however many objects it has, so it is atomic.
 */
import type { Clock, KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { ListHistory, ReflectorSink } from "../reflector/reflector-sink.ts";

/** One change of the cache. `atMs` is its time of arrival, in the clock's monotonic time. */
export type Delta<T extends KubeObject> = { readonly atMs: number } & (
  | {
      readonly type: "replace";
      readonly versions: readonly ObjectVersion<T>[];
      readonly resourceVersion: string;
      readonly isNewEpoch: boolean;
      readonly isRestored: boolean;
    }
  /** A restored state is now current. */
  | { readonly type: "caught-up" }
  | { readonly type: "upsert"; readonly version: ObjectVersion<T> }
  | { readonly type: "remove"; readonly version: ObjectVersion<T> }
  | { readonly type: "bookmark"; readonly resourceVersion: string }
  /** Internal work that must not overtake earlier deltas: a resync, a repair. */
  | { readonly type: "work"; readonly work: () => void }
);

export interface DeltaQueueOptions {
  readonly clock: Clock;
  /** Maximum queued deltas before backpressure stops the reflector, until half of them are processed. @default 4096 */
  readonly lengthMax?: number;
}

/** Number of consumed slots after which the array is trimmed: often enough to free memory, rarely enough to be cheap. */
const cutAt = 1024;

/**
 * Guarantees: deltas are taken in order, each once; if the reflector waits for `ready`, the length does not exceed `lengthMax` plus one
 * batch.
 */
export class DeltaQueue<T extends KubeObject> implements ReflectorSink<T> {
  readonly #clock: Clock;
  readonly #lengthMax: number;
  #deltas: (Delta<T> | undefined)[] = [];
  #head = 0;
  #filled: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined;
  /** Signal of the consumer; has one listener, not one per wait. */
  #heeded: AbortSignal | undefined;
  readonly #abort = (): void => this.#filled?.reject(this.#heeded?.reason);
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #isClosed = false;

  constructor({ clock, lengthMax = 4096 }: DeltaQueueOptions) {
    this.#clock = clock;
    this.#lengthMax = lengthMax;
  }

  get length(): number {
    return this.#deltas.length - this.#head;
  }

  replace(versions: readonly ObjectVersion<T>[], resourceVersion: string, history: ListHistory = { isNewEpoch: false }): void {
    const { isNewEpoch, isRestored = false } = history;
    this.#push({ type: "replace", versions, resourceVersion, isNewEpoch, isRestored, atMs: this.#clock.monotonic() });
  }

  caughtUp(): void {
    this.#push({ type: "caught-up", atMs: this.#clock.monotonic() });
  }

  upsert(version: ObjectVersion<T>): void {
    this.#push({ type: "upsert", version, atMs: this.#clock.monotonic() });
  }

  remove(version: ObjectVersion<T>): void {
    this.#push({ type: "remove", version, atMs: this.#clock.monotonic() });
  }

  /** Adds a bookmark; it replaces a bookmark at the end of the queue, so many in a row are one delta. */
  bookmark(resourceVersion: string): void {
    const last = this.#deltas.at(-1);
    if (last?.type === "bookmark" && this.length > 0) this.#deltas[this.#deltas.length - 1] = { ...last, resourceVersion };
    else this.#push({ type: "bookmark", resourceVersion, atMs: this.#clock.monotonic() });
  }

  /** Calls `work` after all earlier deltas are stored and delivered. `work` must not throw. */
  enqueue(work: () => void): void {
    this.#push({ type: "work", work, atMs: this.#clock.monotonic() });
  }

  ready(): Promise<void> | undefined {
    if (this.length < this.#lengthMax || this.#isClosed) return undefined;
    this.#room ??= gate();
    return this.#room.promise;
  }

  /** Takes the next delta; undefined if there is none. */
  take(): Delta<T> | undefined {
    const delta = this.#deltas[this.#head];
    if (delta === undefined) return undefined;
    this.#deltas[this.#head++] = undefined;
    if (this.#head === this.#deltas.length) this.#deltas = [];
    else if (this.#head < cutAt || this.#head * 2 < this.#deltas.length) return this.#taken(delta);
    else this.#deltas = this.#deltas.slice(this.#head);
    this.#head = 0;
    return this.#taken(delta);
  }

  /** Resolves when there is a delta. Rejects with the signal's reason. Only for the consumer, one wait at a time. */
  async filled(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.length > 0) return;
    this.#heed(signal);
    await new Promise<void>((resolve, reject) => {
      this.#filled = { resolve, reject };
    });
  }

  /** Closes the queue: drops its deltas, ignores new ones, and resolves pending `ready` promises. */
  close(): void {
    this.#isClosed = true;
    this.#heed(undefined);
    this.#deltas = [];
    this.#head = 0;
    this.#room?.resolve();
    this.#room = undefined;
  }

  #heed(signal: AbortSignal | undefined): void {
    if (signal === this.#heeded) return;
    this.#heeded?.removeEventListener("abort", this.#abort);
    signal?.addEventListener("abort", this.#abort, { once: true });
    this.#heeded = signal;
  }

  #push(delta: Delta<T>): void {
    if (this.#isClosed) return;
    this.#deltas.push(delta);
    this.#filled?.resolve();
    this.#filled = undefined;
  }

  #taken(delta: Delta<T>): Delta<T> {
    if (this.#room !== undefined && this.length * 2 <= this.#lengthMax) {
      this.#room.resolve();
      this.#room = undefined;
    }
    return delta;
  }
}

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
