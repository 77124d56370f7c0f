/** How long a pod that failed is left where it is: a kubelet that refuses every pod must not be offered one after the other without end. */
import type { Clock } from "@drover/machinery";

export interface FailedPodBackoffOptions {
  readonly clock: Clock;
  /** The first wait, in milliseconds; each further one is twice as long. @default 1000 */
  readonly firstMs?: number;
  /** The longest, in milliseconds; after twice as long without a failure it begins anew. @default 900000, a quarter of an hour */
  readonly maxMs?: number;
}

interface Wait {
  readonly since: number;
  readonly waitMs: number;
}

/** Waits by key: a DaemonSet, its generation, and a node. Guarantees: what has not failed for long is forgotten. */
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

  /** In how many milliseconds a failed pod may go. 0 means now, and that it does: the next one will wait longer. */
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

  /** How many keys are remembered. */
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
