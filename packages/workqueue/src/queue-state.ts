/**
 * State of the queue: what it knows about each key, and what an operation at a given time does. Without a clock, promises or timers, so
 * that tests can try every sequence of operations.
 *
 *     queue.ts (waits) → QueueState → ReadyOrder (ready keys), Heap (keys that are not due yet), RateLimiter
 *
 * A key has at most one current run and at most one pending run. The pending run is `waiting` until it is due, or `ready`; if the key is
 * running, the queue withholds its ready run until `done`.
 */
import { assert } from "@drover/machinery";
import { Heap } from "./heap.ts";
import { checkAddDelay, checkLimiterDelay } from "./delay-check.ts";
import { Entry } from "./entry.ts";
import type { Wait } from "./entry.ts";
import { ReadyOrder } from "./ready-order.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { AddOptions, Debounce, KeyReport, Work } from "./work.ts";

/** Receives what happens in a queue, synchronously. */
export interface QueueObserver<K> {
  /** A key became ready. */
  added(priority: number): void;
  /** The priority of a ready key was raised. */
  raised(from: number, to: number): void;
  taken(key: K, work: { readonly priority: number; readonly waitedMs: number; readonly takenAt: number }): void;
  done(key: K, now: number): void;
  /** A key was added for a later time. */
  retried(): void;
}

export interface QueueStateOptions<K> {
  readonly rateLimiter: RateLimiter<K>;
  readonly ageingMs: number;
  readonly maxAttempts: number;
  readonly tenantOf?: ((key: K) => string) | undefined;
  readonly debounce?: Debounce | undefined;
  readonly observer?: QueueObserver<K> | undefined;
}

const reasonLengthMax = 1024;
/** About 30,000 years per point: in effect absolute priorities, but finite, so that products with priorities are numbers. */
const ageingMsMax = 1e15;
const plain: AddOptions<never> = Object.freeze({});

/** Assumes: `now` never decreases from one call to the next. */
export class QueueState<K, C> {
  readonly #rateLimiter: RateLimiter<K>;
  readonly #ageingMs: number;
  readonly #maxAttempts: number;
  readonly #debounce: Debounce | undefined;
  readonly #observer: QueueObserver<K> | undefined;
  readonly #entries = new Map<K, Entry<K, C>>();
  readonly #tenantOf: ((key: K) => string) | undefined;
  readonly #order: ReadyOrder<Entry<K, C>>;
  readonly #waits = new Heap<Wait<K, C>>(isSooner);
  #sequence = 0;
  #readyCount = 0;
  #runningCount = 0;
  #shuttingDown = false;

  constructor({ rateLimiter, ageingMs, maxAttempts, tenantOf, debounce, observer }: QueueStateOptions<K>) {
    this.#rateLimiter = rateLimiter;
    this.#ageingMs = Math.min(ageingMs, ageingMsMax);
    this.#maxAttempts = maxAttempts;
    this.#debounce = debounce;
    this.#observer = observer;
    this.#tenantOf = tenantOf;
    this.#order = new ReadyOrder({ byTenant: tenantOf !== undefined });
  }

  /** Number of ready keys, including those withheld because they are running. */
  get readyCount(): number {
    return this.#readyCount;
  }

  get runningCount(): number {
    return this.#runningCount;
  }

  /** Number of keys that are not due yet. */
  get waitingCount(): number {
    return this.#waits.size;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Time at which the next waiting key is due; Infinity if none waits. */
  get wakeAt(): number {
    return this.#waits.first()?.wakeAt ?? Infinity;
  }

  /**
   * Adds a key. Throws a RangeError if a delay or priority is not finite, and passes on what `tenantOf` throws; the state is then
   * unchanged. Calls `time` only when it matters: reading a clock costs as much as the rest of the method.
   */
  add(time: () => number, key: K, options: AddOptions<C> = plain): void {
    const { priority = 0, afterMs = 0, rateLimited = false, cause, reason } = options;
    if (!Number.isFinite(priority)) throw new RangeError(`priority must be a finite number, not ${priority}`);
    checkAddDelay(afterMs);
    if (this.#shuttingDown) return;
    const known = this.#entries.get(key);
    if (rateLimited) return this.#addRetry(time(), key, known, { priority, afterMs, reason, causeOf: options.retryCause ?? (() => cause) });
    const entry = known ?? this.#create(key);
    entry.byEvent = true;
    if (entry.phase === "ready" && priority <= entry.priority) {
      if (afterMs > 0) this.#observer?.retried();
      return entry.addCause(cause);
    }
    const now = time();
    if (entry.phase === "parked") {
      this.#clearRetries(entry);
      entry.byEvent = true;
    }
    this.#note(entry, now, priority, cause);
    if (afterMs > 0) this.#waitUntil(entry, now, now + afterMs);
    else if (this.#debounce === undefined || entry.phase === "ready") this.#makeReady(entry, now);
    else this.#waitForRest(entry, now, this.#debounce);
  }

  /** Makes all due keys ready. */
  tick(now: number): void {
    for (let wait = this.#waits.first(); wait !== undefined && wait.wakeAt <= now; wait = this.#waits.first())
      this.#makeReady(wait.entry, now);
  }

  /** Takes the next key; undefined if none is ready. */
  take(now: number): Work<K, C> | undefined {
    if (this.#waits.size > 0) this.tick(now);
    const entry = this.#order.shift();
    if (entry === undefined) return undefined;
    const { key, priority, causes, causeCount } = entry;
    const work: Work<K, C> = {
      key,
      priority,
      causes: causes ?? noCauses,
      causeCount,
      attempts: entry.retry?.attempts ?? 0,
      waitedMs: now - entry.since,
      takenAt: now,
    };
    entry.endPending();
    entry.running = work;
    this.#readyCount--;
    this.#runningCount++;
    this.#observer?.taken(key, work);
    return work;
  }

  /** Ends the run of a key. Returns false if it is not running. */
  done(time: () => number, key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry?.running === undefined) return false;
    entry.running = undefined;
    this.#runningCount--;
    this.#observer?.done(key, time());
    if (entry.phase === "ready") this.#rank(entry, time() - entry.priority * this.#ageingMs);
    else if (isUnused(entry)) this.#entries.delete(key);
    else if (entry.phase === "idle") entry.since = time();
    return true;
  }

  /** Resets the retries of a key and drops it if it is parked. */
  forget(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#clearRetries(entry);
    if (isUnused(entry)) this.#entries.delete(key);
  }

  attempts(key: K): number {
    return this.#entries.get(key)?.retry?.attempts ?? 0;
  }

  /** Cancels a run that is not due yet. Returns false if there is none. */
  cancel(now: number, key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry?.wait === undefined) return false;
    this.#waits.remove(entry.wait);
    this.#dropPending(entry, now);
    return true;
  }

  /** Makes a parked key ready and resets its attempts. Returns false if it is not parked. */
  unpark(now: number, key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry?.phase !== "parked" || this.#shuttingDown) return false;
    this.#clearRetries(entry);
    this.#note(entry, now, 0, undefined);
    entry.byEvent = true;
    this.#makeReady(entry, now);
    return true;
  }

  /** Ignores adds from now on. Drops the keys that are not due yet and returns them in the order in which they would have been due. */
  shutDown(now: number): readonly K[] {
    this.#shuttingDown = true;
    const dropped = this.#waits
      .values()
      .toSorted((a, b) => (isSooner(a, b) ? -1 : 1))
      .map(({ entry }) => entry);
    this.#waits.clear();
    for (const entry of dropped) this.#dropPending(entry, now);
    return dropped.map(({ key }) => key);
  }

  report(now: number, key: K): KeyReport<K, C> | undefined {
    return this.#entries.get(key)?.report(now);
  }

  reports(now: number): readonly KeyReport<K, C>[] {
    return Array.from(this.#entries.values(), (entry) => entry.report(now));
  }

  #create(key: K): Entry<K, C> {
    const entry = new Entry<K, C>(key, this.#tenantOf === undefined ? "" : this.#tenantOf(key));
    this.#entries.set(key, entry);
    return entry;
  }

  #dropPending(entry: Entry<K, C>, now: number): void {
    entry.wait = undefined;
    entry.endPending();
    entry.since = now;
    if (isUnused(entry)) this.#entries.delete(entry.key);
  }

  #addRetry(now: number, key: K, known: Entry<K, C> | undefined, { priority, afterMs, causeOf, reason }: RetryOptions<C>): void {
    const retry = known?.retry;
    // The failed run was caused by an event before the pending retry was due, so it has not used up that retry.
    const isEarly = retry !== undefined && retry.at > now;
    const before = retry?.attempts ?? 0;
    if (!isEarly && before >= this.#maxAttempts) return this.#giveUp(known ?? this.#create(key), now, causeOf(before), reason);
    const ownDelay = isEarly ? retry.at - now : checkLimiterDelay(this.#rateLimiter.when(key));
    const delay = afterMs > 0 ? Math.min(ownDelay, afterMs) : ownDelay;
    const attempts = isEarly ? before : before + 1;
    const cause = causeOf(attempts);
    const entry = known ?? this.#create(key);
    entry.retry = {
      attempts,
      at: isEarly ? Math.min(retry.at, now + delay) : now + delay,
      reason: cut(reason) ?? retry?.reason,
    };
    this.#note(entry, now, priority, cause);
    if (delay > 0) this.#waitUntil(entry, now, entry.retry.at);
    else this.#makeReady(entry, now);
  }

  /** Handles a key without attempts left: an event since then resets its attempts; otherwise parks the key until the next event. */
  #giveUp(entry: Entry<K, C>, now: number, cause: C | undefined, reason: string | undefined): void {
    if (entry.phase !== "idle") {
      if (entry.byEvent) this.#clearRetries(entry);
      return;
    }
    entry.phase = "parked";
    entry.since = now;
    entry.retry = { attempts: entry.retry?.attempts ?? 0, at: now, reason: cut(reason) ?? entry.retry?.reason };
    entry.addCause(cause);
  }

  #clearRetries(entry: Entry<K, C>): void {
    if (entry.phase === "parked") entry.endPending();
    if (entry.retry === undefined) return;
    entry.retry = undefined;
    this.#rateLimiter.forget(entry.key);
  }

  /** Records the cause and priority of an add for the pending run. */
  #note(entry: Entry<K, C>, now: number, priority: number, cause: C | undefined): void {
    entry.addCause(cause);
    if (entry.phase === "idle") {
      entry.priority = priority;
      entry.since = now;
    } else if (priority > entry.priority) {
      const before = entry.priority;
      entry.priority = priority;
      if (entry.phase !== "ready") return;
      this.#observer?.raised(before, priority);
      if (entry.running !== undefined) return;
      // To the end of its new class, but never behind its old position: a raise must not cost it the time it has waited.
      this.#order.move(entry, Math.min(entry.score, now - priority * this.#ageingMs), ++this.#sequence);
    }
  }

  #makeReady(entry: Entry<K, C>, now: number): void {
    if (entry.phase === "ready") return;
    if (entry.wait !== undefined) {
      this.#waits.remove(entry.wait);
      entry.wait = undefined;
    }
    entry.phase = "ready";
    entry.since = now;
    this.#readyCount++;
    this.#observer?.added(entry.priority);
    if (entry.running === undefined) this.#rank(entry, now - entry.priority * this.#ageingMs);
  }

  /**
   * Ranks a ready key. The score is the time at which it became ready, minus `ageingMs` per point of priority. All keys age at the same
   * rate, so their order never changes while they wait.
   */
  #rank(entry: Entry<K, C>, score: number): void {
    entry.score = score;
    entry.sequence = ++this.#sequence;
    this.#order.push(entry);
  }

  #waitUntil(entry: Entry<K, C>, now: number, dueAt: number): void {
    this.#observer?.retried();
    if (entry.phase === "ready") return;
    // The delay is below the resolution of the clock's numbers.
    if (dueAt <= now) return this.#makeReady(entry, now);
    const wait = entry.wait ?? this.#beginWait(entry);
    if (dueAt < wait.dueAt) this.#wakeAt(wait, dueAt, wait.restAt);
  }

  #waitForRest(entry: Entry<K, C>, now: number, { afterMs, maxMs }: Debounce): void {
    const wait = entry.wait ?? this.#beginWait(entry);
    if (wait.restBy === Infinity) wait.restBy = now + maxMs;
    const restAt = Math.min(now + afterMs, wait.restBy);
    if (restAt <= now) this.#makeReady(entry, now);
    else this.#wakeAt(wait, wait.dueAt, restAt);
  }

  #beginWait(entry: Entry<K, C>): Wait<K, C> {
    assert(entry.phase === "idle", "only an idle key can begin to wait");
    const wait: Wait<K, C> = { entry, place: 0, wakeAt: Infinity, sequence: 0, dueAt: Infinity, restAt: Infinity, restBy: Infinity };
    entry.wait = wait;
    entry.phase = "waiting";
    this.#waits.push(wait);
    return wait;
  }

  #wakeAt(wait: Wait<K, C>, dueAt: number, restAt: number): void {
    wait.dueAt = dueAt;
    wait.restAt = restAt;
    const wakeAt = Math.min(dueAt, restAt);
    if (wakeAt === wait.wakeAt) return;
    wait.wakeAt = wakeAt;
    wait.sequence = ++this.#sequence;
    this.#waits.update(wait);
  }
}

type RetryOptions<C> = Required<Pick<AddOptions<C>, "priority" | "afterMs">> & {
  readonly causeOf: (attempt: number) => C | undefined;
  readonly reason: string | undefined;
};

const noCauses: readonly never[] = Object.freeze([]);

/** Reports whether the queue can drop the entry: no current run, no pending run, no retries. */
const isUnused = <K, C>({ phase, running, retry }: Entry<K, C>): boolean =>
  phase === "idle" && running === undefined && retry === undefined;

function isSooner<K, C>(a: Wait<K, C>, b: Wait<K, C>): boolean {
  return a.wakeAt < b.wakeAt || (a.wakeAt === b.wakeAt && a.sequence < b.sequence);
}

function cut(reason: string | undefined): string | undefined {
  return reason !== undefined && reason.length > reasonLengthMax ? reason.slice(0, reasonLengthMax) : reason;
}
