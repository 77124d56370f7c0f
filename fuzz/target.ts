/** What a fuzz target is: a function of bytes that throws when a promise of the code under test is broken. */

export interface FuzzTarget {
  /** Name on the command line and of the folder below `corpus/`. */
  readonly name: string;
  /** Words of the input's language, which the mutator inserts. */
  readonly tokens: readonly string[];
  /** Runs one input. Throws, or rejects, when an invariant is broken. */
  run(input: Uint8Array): void | Promise<void>;
  /** Releases what `run` has opened. */
  close?(): Promise<void>;
}
