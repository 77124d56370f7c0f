/**
 * Limits how often one key runs: a burst, then one run per interval.
 *
 *     work → waitMs: 0, the run is counted; or the delay until the key may run
 */
import { budget } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";

export interface KeyPaceOptions {
  /** Milliseconds per run. */
  readonly everyMs: number;
  /** Number of runs without a delay after a rest. @default 1 */
  readonly burst?: number;
}

const pacedKeys = budget({
  name: "controller/paced-keys",
  limit: 100_000,
  unit: "items",
  atLimit: "The controller forgets the older half of the keys; they may run a burst too early.",
  uncounted: "Nothing fails or is lost.",
});

/** Guarantees: in any interval of t milliseconds a key runs at most `burst` + t / `everyMs` times. Assumes: `now` never decreases. */
export class KeyPace {
  readonly #everyMs: number;
  readonly #slackMs: number;
  /** How long a key takes to have its full burst again. */
  readonly #restMs: number;
  /**
   * When each key has its full burst again: of the keys that ran in this period, and in the one before. A period is at least as long as a
   * rest, so that a key which ran in neither has rested.
   */
  #recent = new Map<ObjectKey, number>();
  #before = new Map<ObjectKey, number>();
  #periodEndsAt = -Infinity;

  /** Throws a RangeError that names an invalid option. */
  constructor({ everyMs, burst = 1 }: KeyPaceOptions) {
    if (!(everyMs > 0) || everyMs > dayMs)
      throw new RangeError(`createController: rate.everyMs must be above 0 and at most a day (${dayMs}), not ${everyMs}`);
    if (!Number.isSafeInteger(burst) || burst < 1 || burst > burstMax)
      throw new RangeError(`createController: rate.burst must be a whole number from 1 to ${burstMax}, not ${burst}`);
    this.#everyMs = everyMs;
    this.#slackMs = (burst - 1) * everyMs;
    this.#restMs = burst * everyMs;
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#recent.size + this.#before.size;
  }

  /** Returns 0 and counts a run, or the whole milliseconds until the key may run. */
  waitMs(key: ObjectKey, now: number): number {
    this.#turn(now);
    const fullAt = Math.max(this.#recent.get(key) ?? this.#before.get(key) ?? now, now);
    const waitMs = fullAt - this.#slackMs - now;
    // Rounded up: a delay below the resolution of the clock would end before it began.
    if (waitMs > 0) return Math.ceil(waitMs);
    this.#recent.set(key, fullAt + this.#everyMs);
    this.#before.delete(key);
    return 0;
  }

  /** Begins a period when the last one is over, or has half of the keys that may be remembered. */
  #turn(now: number): void {
    if (now < this.#periodEndsAt && this.#recent.size < pacedKeys.limit / 2) return;
    this.#before = now < this.#periodEndsAt + this.#restMs ? this.#recent : new Map<ObjectKey, number>();
    this.#recent = new Map();
    this.#periodEndsAt = now + this.#restMs;
  }
}

const dayMs = 86_400_000;
const burstMax = 1000;
