/**
 * A store that forgets: an object that is too old is not there any more for whoever asks. The check happens when somebody reads, so reading
 * is dearer than from a plain store, and nobody has to clean up.
 */
import type { Clock } from "@drover/machinery";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import type { Store } from "./store.ts";

/** An object and when it was put in, on the monotonic clock. */
export interface TimestampedEntry<T> {
  readonly object: T;
  readonly timestampMs: number;
}

/** Decides when an object is too old. */
export interface ExpirationPolicy<T> {
  isExpired(entry: TimestampedEntry<T>): boolean;
}

/** Older than this is too old; zero or less means never. */
export function ttlPolicy(ttlMs: number, clock: Clock): ExpirationPolicy<unknown> {
  return { isExpired: ({ timestampMs }) => ttlMs > 0 && clock.monotonic() - timestampMs > ttlMs };
}

export interface ExpirationCacheOptions<T> {
  readonly keyFunc: KeyFunc<T>;
  readonly clock: Clock;
  readonly expirationPolicy: ExpirationPolicy<T>;
}

/** Guarantees: nothing expired is ever handed out; putting an object in again makes it young. `listKeys` alone does not look at ages. */
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
    // A store has nothing to process again.
  }

  #key(object: T): string {
    return keyed(this.#options.keyFunc, object);
  }

  #stamped(object: T): TimestampedEntry<T> {
    return { object, timestampMs: this.#options.clock.monotonic() };
  }
}

/** A cache whose objects live for a time. */
export function newTTLStore<T>(keyFunc: KeyFunc<T>, ttlMs: number, clock: Clock): ExpirationCache<T> {
  return new ExpirationCache<T>({ keyFunc, clock, expirationPolicy: ttlPolicy(ttlMs, clock) });
}
