/**
 * Counts the runs of every key, to notice those that run suspiciously often. One increment of a small number for each run.
 *
 *     Tape.begin → RunCounter.count → how suspicious        suspects → findLoops
 */
import type { ObjectKey } from "@drover/machinery";

export interface RunCounterOptions {
  /** How long runs are counted before counting begins anew, in milliseconds. */
  readonly windowMs: number;
  /** How many runs within that are ordinary. */
  readonly runsMax: number;
  /** How many runs there may be in all before counting begins anew: what fell off the tape cannot be looked at. */
  readonly totalMax: number;
}

/** A key that ran too often. */
export interface Suspect {
  readonly controller: string;
  readonly key: ObjectKey;
}

const suspectsMax = 100;
const placesMax = 2 ** 14;

/**
 * Keys are counted together where their hashes meet, and by themselves once such a place is busy: a suspect may be
 * innocent, but who runs too
 * often is one.
 *
 * Guarantees: as much memory as `totalMax / runsMax` keys at most take, and never more than 100 suspects of this window
 * and 100 of the one before.
 */
export class RunCounter {
  readonly #options: RunCounterOptions;
  readonly #places = new Uint32Array(placesMax);
  /** The keys of busy places, by controller and key. */
  readonly #busy = new Map<string, number>();
  #total = 0;
  #endsAt = -Infinity;
  #suspects: Suspect[] = [];
  #suspectsBefore: Suspect[] = [];

  constructor(options: RunCounterOptions) {
    this.#options = options;
  }

  /**
   * Counts a run at this moment. 1 when its key has just run too often, 2 when twice as often, 3 when four times; 0 for
   * every other run.
   */
  count(controller: string, key: ObjectKey, now: number): number {
    if (now >= this.#endsAt || this.#total >= this.#options.totalMax) this.#begin(now);
    this.#total++;
    const place = hash(controller, key) & (placesMax - 1);
    const together = (this.#places[place] ?? 0) + 1;
    this.#places[place] = together;
    return together > this.#options.runsMax ? this.#countBusy(controller, key, together) : 0;
  }

  /** Keys that ran too often in this window or the one before, each once. */
  suspects(): readonly Suspect[] {
    const isNew = (suspect: Suspect): boolean =>
      !this.#suspects.some(({ controller, key }) => controller === suspect.controller && key === suspect.key);
    return [...this.#suspectsBefore.filter(isNew), ...this.#suspects];
  }

  #countBusy(controller: string, key: ObjectKey, together: number): number {
    const { runsMax } = this.#options;
    const name = `${controller} ${key}`;
    const known = this.#busy.get(name);
    // All that ran here before may have been this key.
    const count = known === undefined ? together : known + 1;
    this.#busy.set(name, count);
    if (known === undefined && this.#suspects.length < suspectsMax) this.#suspects.push({ controller, key });
    if (known === undefined) return 1;
    const doublings = Math.log2((count - 1) / runsMax);
    return Number.isInteger(doublings) ? doublings + 1 : 0;
  }

  #begin(now: number): void {
    this.#endsAt = now + this.#options.windowMs;
    this.#total = 0;
    this.#places.fill(0);
    this.#busy.clear();
    this.#suspectsBefore = this.#suspects;
    this.#suspects = [];
  }
}

/** FNV-1a over the characters. */
function hash(controller: string, key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < controller.length; at++) value = Math.imul(value ^ controller.charCodeAt(at), 0x01000193);
  for (let at = 0; at < key.length; at++) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return value ^ (value >>> 15);
}
