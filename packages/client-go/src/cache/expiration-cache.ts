/**
 * client-go's `ExpirationCache`: a store whose objects expire. It checks ages on reads, so reads cost more than those of a plain store, and
 * no cleanup is necessary.
 */
import type { Clock } from "@drover/machinery";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import type { Store } from "./store.ts";

/** An object and when it was stored, in the clock's monotonic time. */
export interface TimestampedEntry<T> {
  readonly object: T;
  readonly timestampMs: number;
}

/** Decides whether an object has expired. */
export interface ExpirationPolicy<T> {
  isExpired(entry: TimestampedEntry<T>): boolean;
}

/** Returns a policy with a time to live in milliseconds; zero or less means that objects never expire. */
export function ttlPolicy(ttlMs: number, clock: Clock): ExpirationPolicy<unknown> {
  return { isExpired: ({ timestampMs }) => ttlMs > 0 && clock.monotonic() - timestampMs > ttlMs };
}

/** Options of an `ExpirationCache`. */
export interface ExpirationCacheOptions<T> {
  readonly keyFunc: KeyFunc<T>;
  readonly clock: Clock;
  readonly expirationPolicy: ExpirationPolicy<T>;
}

/** Guarantees: reads never return an expired object; storing an object again restarts its time to live. Only `listKeys` ignores ages. */
export class ExpirationCache<T> implements Store<T> {
  readonly #entries = new Map<string, TimestampedEntry<T>>();
  readonly #options: ExpirationCacheOptions<T>;

  constructor(options: ExpirationCacheOptions<T>) {
    this.#options = options;
  }

  add(object: T): void {
    this.#entries.set(this.#key(object), this.#stamped(object));
  }

  update(object: T): void {
    this.add(object);
  }

  delete(object: T): void {
    this.#entries.delete(this.#key(object));
  }

  get(object: T): T | undefined {
    return this.getByKey(this.#key(object));
  }

  getByKey(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (!this.#options.expirationPolicy.isExpired(entry)) return entry.object;
    this.#entries.delete(key);
    return undefined;
  }

  list(): T[] {
    return [...this.#entries.keys()].map((key) => this.getByKey(key)).filter((object) => object !== undefined);
  }

  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  replace(list: readonly T[]): void {
    const entries = list.map((object): [string, TimestampedEntry<T>] => [this.#key(object), this.#stamped(object)]);
    this.#entries.clear();
    for (const [key, entry] of entries) this.#entries.set(key, entry);
  }

  resync(): void {
    // Only queues have something to resync.
  }

  #key(object: T): string {
    return keyed(this.#options.keyFunc, object);
  }

  #stamped(object: T): TimestampedEntry<T> {
    return { object, timestampMs: this.#options.clock.monotonic() };
  }
}

/** Returns a cache with a time to live for its objects. */
export function newTTLStore<T>(keyFunc: KeyFunc<T>, ttlMs: number, clock: Clock): ExpirationCache<T> {
  return new ExpirationCache<T>({ keyFunc, clock, expirationPolicy: ttlPolicy(ttlMs, clock) });
}
