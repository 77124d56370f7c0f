/**
 * Nodes about which nothing can be done yet: an owner that was not seen, a kind that is not served. Each is looked at
 * again, less and less often.
 */
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** From five milliseconds to a quarter of an hour, as failed keys of kube-controller-manager wait. */
const [firstMs, longestMs] = [5, 1_000_000] as const;

export class WaitingNodes {
  readonly #limiter: RateLimiter<string> = itemExponentialFailureRateLimiter(firstMs, longestMs);
  readonly #waiting = new Set<string>();

  /** In how many milliseconds it is to be looked at again. */
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
