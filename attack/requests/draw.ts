/** Decisions of the grammar: everything random comes from one seeded source, so that a request is repeated by its number. */
import { pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { mutate } from "../../fuzz/mutate.ts";

export interface Draw {
  readonly random: Random;
  int(bound: number): number;
  of<T>(items: readonly T[]): T;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  /** One of the productions, called. */
  rule<T>(productions: readonly (() => T)[]): T;
  /** A list of up to `most` items. */
  some<T>(most: number, make: () => T): T[];
  /** A few random edits: words, numbers, brackets, bytes. */
  mutated(bytes: Uint8Array, tokens: readonly string[], other?: Uint8Array): Uint8Array;
}

export const drawFrom = (random: Random): Draw => ({
  random,
  int: (bound) => random.int(bound),
  of: (items) => pick(random, items),
  oneIn: (times) => random.int(times) === 0,
  rule: (productions) => pick(random, productions)(),
  some: (most, make) => Array.from({ length: random.int(most + 1) }, make),
  mutated: (bytes, tokens, other = bytes) => mutate(bytes, other, { random, tokens, bytesMax: 64 * 1024 }),
});
