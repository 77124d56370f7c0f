/**
 * Answers of recent reviews. An API server that lost the connection sends the same review again, with the same uid: it gets the same
 * answer, and the handler runs once.
 */
import { budget } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

const recentCount = budget({
  name: "controller/webhook-recent-reviews",
  limit: 1000,
  unit: "items",
  atLimit: "The oldest answers are forgotten; a review that the API server repeats runs its handler again.",
  uncounted: "Normal operation: every answer is kept until newer ones replace it.",
});
const recentBytes = budget({
  name: "controller/webhook-recent-bytes",
  limit: 16 * 2 ** 20,
  unit: "bytes",
  atLimit: "The oldest answers are forgotten; a review that the API server repeats runs its handler again.",
  uncounted: "Normal operation: every answer is kept until newer ones replace it.",
});
/** The longest timeout of a webhook, after which no API server repeats a review. */
const keptMs = 30_000;

interface Recent<T> {
  readonly body: string;
  readonly answer: Promise<T>;
  readonly atMs: number;
}

/** Answers by path and uid. */
export class RecentReviews<T> {
  readonly #clock: Clock;
  readonly #recent = new Map<string, Recent<T>>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the answer to the same review, or calls `run`. Another body with the same uid is another review. An answer that rejects is
   * forgotten.
   */
  async answer(key: string, body: string, run: () => Promise<T>): Promise<T> {
    const known = this.#recent.get(key);
    if (known?.body === body && this.#clock.monotonic() - known.atMs < keptMs) return known.answer;
    this.#forget(key);
    const answer = run();
    const recent: Recent<T> = { body, answer, atMs: this.#clock.monotonic() };
    this.#recent.set(key, recent);
    this.#bytes += body.length;
    this.#prune();
    try {
      return await answer;
    } catch (error) {
      if (this.#recent.get(key) === recent) this.#forget(key);
      throw error;
    }
  }

  #prune(): void {
    const now = this.#clock.monotonic();
    for (const [key, { atMs }] of this.#recent) {
      if (this.#recent.size <= recentCount.limit && this.#bytes <= recentBytes.limit && now - atMs < keptMs) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#recent.get(key)?.body.length ?? 0;
    this.#recent.delete(key);
  }
}
