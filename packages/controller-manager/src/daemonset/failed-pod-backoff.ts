/** Backoff before a failed pod is deleted and replaced, so that a kubelet that rejects every pod does not cause a hot loop. */
import type { Clock } from "@drover/machinery";

export interface FailedPodBackoffOptions {
  readonly clock: Clock;
  /** First delay in milliseconds; each further one doubles. @default 1000 */
  readonly firstMs?: number;
  /** Longest delay in milliseconds; twice as long without a failure resets the backoff. @default 900000, a quarter of an hour */
  readonly maxMs?: number;
}

interface Wait {
  readonly since: number;
  readonly waitMs: number;
}

/** Delays by key: DaemonSet, its generation, and node. Forgets keys that have not failed for long. */
export class FailedPodBackoff {
  readonly #clock: Clock;
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #waits = new Map<string, Wait>();
  #sweptAt: number;

  constructor({ clock, firstMs = 1000, maxMs = 15 * 60_000 }: FailedPodBackoffOptions) {
    this.#clock = clock;
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#sweptAt = clock.monotonic();
  }

  /** Returns the milliseconds until a failed pod may be deleted. 0 means now, and makes the next delay longer. */
  take(key: string): number {
    const now = this.#clock.monotonic();
    this.#sweep(now);
    const wait = this.#waits.get(key);
    const isFresh = wait !== undefined && !this.#isOver(wait, now);
    const leftMs = isFresh ? wait.since + wait.waitMs - now : 0;
    if (leftMs > 0) return leftMs;
    this.#waits.set(key, { since: now, waitMs: isFresh ? Math.min(wait.waitMs * 2, this.#maxMs) : this.#firstMs });
    return 0;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#waits.size;
  }

  #isOver({ since }: Wait, now: number): boolean {
    return now - since > this.#maxMs * 2;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < 60_000) return;
    this.#sweptAt = now;
    for (const [key, wait] of this.#waits) if (this.#isOver(wait, now)) this.#waits.delete(key);
  }
}
