/**
 * A set of non-negative integers that finds the first absent one in a few steps, whatever the size of the range and however full.
 *
 * Level 0 has a bit per number, 32 in a word; a bit of each further level says that a whole word of the level below is full. Only
 * words with a bit set are kept.
 */

const wordBits = 32;
const fullWord = 0xff_ff_ff_ff;

export class SparseBitmap {
  readonly #levels: Map<number, number>[] = [];

  has(number: number): boolean {
    return (this.#word(0, Math.floor(number / wordBits)) & bitOf(number)) !== 0;
  }

  add(number: number): void {
    let index = number;
    for (let level = 0; ; level++) {
      const at = Math.floor(index / wordBits);
      const word = (this.#word(level, at) | bitOf(index)) >>> 0;
      (this.#levels[level] ??= new Map()).set(at, word);
      if (word !== fullWord) return;
      index = at;
    }
  }

  delete(number: number): void {
    let index = number;
    for (let level = 0; level < this.#levels.length; level++) {
      const at = Math.floor(index / wordBits);
      const word = this.#word(level, at);
      if ((word & bitOf(index)) === 0) return;
      const rest = (word & ~bitOf(index)) >>> 0;
      if (rest === 0) this.#levels[level]?.delete(at);
      else this.#levels[level]?.set(at, rest);
      if (word !== fullWord) return;
      index = at;
    }
  }

  /** Returns the smallest absent number that is not less than `from`. */
  firstAbsent(from: number): number {
    let index = from;
    for (let level = 0; ; level++) {
      const at = Math.floor(index / wordBits);
      const bit = index % wordBits;
      const free = (~this.#word(level, at) & (fullWord << bit)) >>> 0;
      if (free !== 0) return this.#below(level, at * wordBits + lowestBit(free));
      index = at + 1;
    }
  }

  /** Returns the smallest absent number under a word that is not full. */
  #below(level: number, index: number): number {
    let place = index;
    for (let lower = level - 1; lower >= 0; lower--) place = place * wordBits + lowestBit(~this.#word(lower, place));
    return place;
  }

  #word(level: number, at: number): number {
    return this.#levels[level]?.get(at) ?? 0;
  }
}

const bitOf = (index: number): number => (1 << (index % wordBits)) >>> 0;

/** The position of the lowest set bit; assumes that one is set. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
