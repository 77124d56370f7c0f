/**
 * A token bucket that limits how often the server is read again.
 */
import { sleep } from "@drover/machinery";
import type { Clock, WaitOptions } from "@drover/machinery";

/** Allows `burst` at once, then `perSecond`. */
export class RefreshBudget {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #countedAt: number;

  constructor(clock: Clock, { burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    if (!(burst >= 1) || !(perSecond > 0)) throw new RangeError(`a refresh must be possible: burst ${burst}, per second ${perSecond}`);
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
    this.#countedAt = clock.monotonic();
  }

  /** Whether `take` would resolve at once. */
  get isAvailable(): boolean {
    this.#count();
    return this.#tokens >= 1;
  }

  /** Takes one token, waiting for it if necessary. */
  async take(options: WaitOptions): Promise<void> {
    while (!this.isAvailable) await sleep(this.#clock, Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000), options);
    this.#tokens--;
  }

  #count(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#countedAt) / 1000) * this.#perSecond);
    this.#countedAt = now;
  }
}
