/**
 * Counts the runs of every key, to notice keys that run suspiciously often. Costs one increment per run.
 *
 *     Tape.begin → RunCounter.count → level of suspicion        suspects → findLoops
 */
import type { ObjectKey } from "@drover/machinery";

export interface RunCounterOptions {
  /** Length of a counting window, in milliseconds. */
  readonly windowMs: number;
  /** Number of runs per window that is normal. */
  readonly runsMax: number;
  /** Total number of runs after which a new window starts: runs that were dropped from the tape cannot be examined. */
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
 * Counts keys with the same hash together, and each key separately once such a slot is busy. A suspect may be innocent, but every key that
 * runs too often is a suspect.
 *
 * Guarantees: memory for at most `totalMax / runsMax` keys, and at most 100 suspects of this window and 100 of the previous one.
 */
export class RunCounter {
  readonly #options: RunCounterOptions;
  readonly #places = new Uint32Array(placesMax);
  /** Counts of keys in busy slots, by controller and key. */
  readonly #busy = new Map<string, number>();
  #total = 0;
  #endsAt = -Infinity;
  #suspects: Suspect[] = [];
  #suspectsBefore: Suspect[] = [];

  constructor(options: RunCounterOptions) {
    this.#options = options;
  }

  /** Counts a run. Returns 1 when its key has just run too often, 2 at twice as often, 3 at four times; 0 for every other run. */
  count(controller: string, key: ObjectKey, now: number): number {
    if (now >= this.#endsAt || this.#total >= this.#options.totalMax) this.#begin(now);
    this.#total++;
    const place = hash(controller, key) & (placesMax - 1);
    const together = (this.#places[place] ?? 0) + 1;
    this.#places[place] = together;
    return together > this.#options.runsMax ? this.#countBusy(controller, key, together) : 0;
  }

  /** Returns keys that ran too often in this window or the previous one, each once. */
  suspects(): readonly Suspect[] {
    const isNew = (suspect: Suspect): boolean =>
      !this.#suspects.some(({ controller, key }) => controller === suspect.controller && key === suspect.key);
    return [...this.#suspectsBefore.filter(isNew), ...this.#suspects];
  }

  #countBusy(controller: string, key: ObjectKey, together: number): number {
    const { runsMax } = this.#options;
    const name = `${controller} ${key}`;
    const known = this.#busy.get(name);
    // All earlier runs of this slot may have been this key.
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

/** Returns the FNV-1a hash of the characters. */
function hash(controller: string, key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < controller.length; at++) value = Math.imul(value ^ controller.charCodeAt(at), 0x01000193);
  for (let at = 0; at < key.length; at++) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return value ^ (value >>> 15);
}
