/**
 * When a quota may be given something back. The API server reserves before it stores: until the object shows in a cache, a count that
 * is lower than what is reserved may be wrong, and would let others in.
 */
import type { Clock, ObjectKey } from "@drover/machinery";

/** How long after the last reservation a lower count is trusted. */
const quietMs = 250;
/** A quota that never is quiet gets its correction after this long. */
const patienceMs = 5000;

/** Remembers a version and two times for each quota until `forget`. */
export class GiveBackDelay {
  readonly #clock: Clock;
  readonly #changed = new Map<ObjectKey, { readonly version: string; readonly atMs: number }>();
  readonly #waiting = new Map<ObjectKey, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes when a version of a quota was first seen. */
  seen(key: ObjectKey, version: string): void {
    if (this.#changed.get(key)?.version !== version) this.#changed.set(key, { version, atMs: this.#clock.monotonic() });
  }

  forget(key: ObjectKey): void {
    this.#changed.delete(key);
    this.#waiting.delete(key);
  }

  /** Returns how long to wait before something of this version is given back, in milliseconds; 0 if it may be now. */
  waitMs(key: ObjectKey, version: string): number {
    this.seen(key, version);
    const now = this.#clock.monotonic();
    const since = this.#waiting.get(key) ?? now;
    const waitMs = Math.min((this.#changed.get(key)?.atMs ?? now) + quietMs, since + patienceMs) - now;
    if (waitMs > 0) this.#waiting.set(key, since);
    else this.#waiting.delete(key);
    return Math.max(0, waitMs);
  }
}
