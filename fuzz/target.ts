/** What a fuzz target is: a function of bytes that throws when a promise of the code under test is broken. */

export interface FuzzTarget {
  /** Name on the command line and of the folder below `corpus/`. */
  readonly name: string;
  /** Inputs that a slow core runs in a second, with the counters of coverage: what a second is in a repeatable run. */
  readonly perSecond: number;
  /** Words of the input's language, which the mutator inserts. */
  readonly tokens: readonly string[];
  /**
   * Longest time of one input, with the counters of coverage, which make short loops ten times as slow.
   * @default 100 ms
   */
  readonly limitMs?: number;
  /** Runs one input. Throws, or rejects, when an invariant is broken. */
  run(input: Uint8Array): void | Promise<void>;
  /** Releases what `run` has opened. */
  close?(): Promise<void>;
}
