/**
 * Chooses what happens at each point of a schedule: which request fails, how long a message takes, when a process dies.
 *
 *     point, weights → Decisions.choose → index; 0 is always the harmless choice
 *
 * A point is named after what happens there ("operator 1 create pods/web #2"), not after its place in a sequence. So a decision that is
 * taken away while a failure is shrunk does not change the meaning of the others.
 */

/** Weights per thousand of the choices 1, 2, 3, …; the rest belongs to choice 0. */
export type Weights = readonly number[];

export interface Decisions {
  choose(point: string, weights: Weights): number;
  /** Every choice so far that was not 0. */
  readonly made: ReadonlyMap<string, number>;
}

/** Decides by a seed: the choice at a point depends on nothing but the seed and the name of the point. */
export class SeededDecisions implements Decisions {
  readonly #seed: number;
  readonly #made = new Map<string, number>();

  constructor(seed: string) {
    this.#seed = hash32(seed, 0x9e3779b9);
  }

  get made(): ReadonlyMap<string, number> {
    return this.#made;
  }

  choose(point: string, weights: Weights): number {
    let draw = hash32(point, this.#seed) % 1000;
    for (let index = 0; index < weights.length; index++) {
      draw -= weights[index] ?? 0;
      if (draw < 0) {
        this.#made.set(point, index + 1);
        return index + 1;
      }
    }
    return 0;
  }
}

/** Decides as listed, and 0 at all other points. */
export class ListedDecisions implements Decisions {
  readonly #listed: ReadonlyMap<string, number>;
  readonly #made = new Map<string, number>();

  constructor(listed: ReadonlyMap<string, number>) {
    this.#listed = listed;
  }

  get made(): ReadonlyMap<string, number> {
    return this.#made;
  }

  choose(point: string, weights: Weights): number {
    const index = this.#listed.get(point) ?? 0;
    if (index === 0 || index > weights.length) return 0;
    this.#made.set(point, index);
    return index;
  }
}

/** Returns 32 well-mixed bits of a text. */
export function hash32(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
