/** Backoff for nodes that cannot be processed yet: an owner not observed, a kind not served. */
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** From five milliseconds to a quarter of an hour, like failed keys in kube-controller-manager. */
const [firstMs, longestMs] = [5, 1_000_000] as const;

export class WaitingNodes {
  readonly #limiter: RateLimiter<string> = itemExponentialFailureRateLimiter(firstMs, longestMs);
  readonly #waiting = new Set<string>();

  /** Returns the milliseconds until the next attempt. */
  wait(uid: string): number {
    this.#waiting.add(uid);
    return this.#limiter.when(uid);
  }

  forget(uid: string): void {
    if (this.#waiting.delete(uid)) this.#limiter.forget(uid);
  }

  uids(): readonly string[] {
    return [...this.#waiting];
  }
}
