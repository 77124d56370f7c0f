/**
 * Random numbers as the program sees them: seeded, and split into named streams so that one consumer cannot disturb another.
 *
 *     createRandom(seed) → Random → stream("jitter"), stream("uid") …
 *
 * The numbers of a seed never change: a seed in a bug report reproduces the run forever.
 */

export interface Random {
  /** Uniform in [0, 1), with 53 random bits. */
  next(): number;
  /** Uniform integer in [0, bound), without bias; the bound is an integer from 1 to 2^53−1. */
  int(bound: number): number;
  /** Returns an independent stream that depends only on this source's seed and the name, not on what was drawn before. */
  stream(name: string): Random;
}

/** Creates a random source from a seed. `7`, `7n` and `"7"` are the same seed. Not for secrets: enough output reveals the rest. */
export function createRandom(seed: number | string | bigint): Random {
  return randomAt(pathStep(String(seed)));
}

/** Returns a new array with the items in random order. */
export function shuffle<T>(random: Random, items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.int(last + 1);
    const moved = shuffled[last] as T;
    shuffled[last] = shuffled[other] as T;
    shuffled[other] = moved;
  }
  return shuffled;
}

/** Returns a random item; there must be one. */
export function pick<T>(random: Random, items: readonly T[]): T {
  if (items.length === 0) throw new RangeError("pick: there are no items");
  return items[random.int(items.length)] as T;
}

/** The length prefix keeps different lists of names from giving the same path. */
const pathStep = (name: string): string => `${name.length}:${name}`;

function randomAt(path: string): Random {
  const draw = xoshiro128(hash128(path));
  // After a few draws every bit of the state affects the output.
  for (let warmUp = 0; warmUp < 16; warmUp++) draw();
  const next53 = (): number => (draw() >>> 5) * 2 ** 26 + (draw() >>> 6);
  const int = (bound: number): number => {
    if (!Number.isSafeInteger(bound) || bound < 1)
      throw new RangeError(`int: the bound must be a whole number from 1 to 2^53−1, not ${bound}`);
    const [range, source] = bound <= 2 ** 32 ? [2 ** 32, draw] : [2 ** 53, next53];
    // Numbers in the last, incomplete range of `bound` would favour small results.
    const limit = range - (range % bound);
    for (;;) {
      const value = source();
      if (value < limit) return value % bound;
    }
  };
  return { next: () => next53() / 2 ** 53, int, stream: (name) => randomAt(path + pathStep(name)) };
}

/** xoshiro128** by Blackman and Vigna: 32 bits per draw, period 2^128−1. */
function xoshiro128([s0, s1, s2, s3]: readonly [number, number, number, number]): () => number {
  let a = s0;
  let b = s1;
  let c = s2;
  let d = s3;
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };
}

/** Returns 128 well-mixed bits of a text, never all zero: four multiplicative lanes that feed each other, then an avalanche. */
function hash128(text: string): readonly [number, number, number, number] {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 0x6a09e667;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = b ^ Math.imul(a ^ unit, 0x85ebca6b);
    b = c ^ Math.imul(b ^ unit, 0xc2b2ae35);
    c = d ^ Math.imul(c ^ unit, 0x27d4eb2f);
    d = a ^ Math.imul(d ^ unit, 0x165667b1);
  }
  const lane = (left: number, right: number): number => avalanche(left ^ avalanche(right + text.length));
  return [lane(a, b), lane(b, c), lane(c, d), lane(d, a) | 1];
}

function avalanche(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
