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

interface Recent {
  readonly body: string;
  readonly answer: Promise<string>;
  readonly atMs: number;
  /** Of the body, and of the answer when there is one. */
  bytes: number;
}

/** Bodies and answers by uid. */
export class RecentReviews {
  readonly #clock: Clock;
  readonly #recent = new Map<string, Recent>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the answer to the same review, or calls `run`. Another body with the same uid is another review. An answer that rejects is
   * forgotten.
   */
  async answer(uid: string, body: string, run: () => Promise<string>): Promise<string> {
    const known = this.#recent.get(uid);
    if (known?.body === body && this.#clock.monotonic() - known.atMs < keptMs) return known.answer;
    this.#forget(uid);
    const recent: Recent = { body, answer: run(), atMs: this.#clock.monotonic(), bytes: 0 };
    this.#recent.set(uid, recent);
    this.#grow(recent, body.length);
    try {
      const text = await recent.answer;
      if (this.#recent.get(uid) === recent) this.#grow(recent, text.length);
      return text;
    } catch (error) {
      if (this.#recent.get(uid) === recent) this.#forget(uid);
      throw error;
    }
  }

  #grow(recent: Recent, bytes: number): void {
    recent.bytes += bytes;
    this.#bytes += bytes;
    const now = this.#clock.monotonic();
    for (const [uid, { atMs }] of this.#recent) {
      if (this.#recent.size <= recentCount.limit && this.#bytes <= recentBytes.limit && now - atMs < keptMs) return;
      this.#forget(uid);
    }
  }

  #forget(uid: string): void {
    this.#bytes -= this.#recent.get(uid)?.bytes ?? 0;
    this.#recent.delete(uid);
  }
}
