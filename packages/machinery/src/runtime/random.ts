/** Chance as the program sees it: seeded, and split into named streams so that one consumer cannot disturb another. */

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number in [0, bound). */
  int(bound: number): number;
  /** An independent stream that depends only on this source's seed and the name, not on how much was drawn before. */
  stream(name: string): Random;
}
