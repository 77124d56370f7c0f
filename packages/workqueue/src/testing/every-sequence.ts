/**
 * Runs every sequence of operations up to a length on an implementation and on its model, and compares them.
 *
 *     queue-model.test.ts, classic-queue-model.test.ts → everySequence
 */
import { errorText } from "@drover/machinery";

/** An implementation and its model. */
export interface Pair<Op> {
  /** Applies an operation to both; throws if their results differ. */
  readonly apply: (op: Op) => void;
  /** Throws if their observable states differ. */
  readonly compare: () => void;
  /** Returns the whole state of the model as text; equal states have the same future. */
  readonly fingerprint: () => string;
}

/** Options of `everySequence`. */
export interface EverySequenceOptions<Op> {
  readonly operations: readonly Op[];
  readonly length: number;
  readonly create: () => Pair<Op>;
  /**
   * Which sequences to skip.
   * - `nothing`: runs every sequence.
   * - `idle steps`: does not continue after a step that changed nothing (the shorter sequence without that step is continued), and
   *   starts with the first key, because keys are interchangeable.
   * - `states`: also does not continue from a state of the model that it has seen before. Reaches the longest sequences, but checks the
   *   least of the implementation's internal state.
   */
  readonly skip: "nothing" | "idle steps" | "states";
  /** Returns the key of an operation: "a" is the first key, "b" the second. */
  readonly keyOf: (op: Op) => "a" | "b" | undefined;
}

/** Result of `everySequence`. */
export interface Tried {
  /** Number of sequences run, each compared after its last step. */
  readonly sequences: number;
  /** Number of different states of the model. */
  readonly states: number;
  /** Number of all sequences of exactly this length. */
  readonly ofThisLength: number;
}

/** Runs the sequences and returns how many it ran; throws at the first difference. */
export function everySequence<Op>({ operations, length, create, skip, keyOf }: EverySequenceOptions<Op>): Tried {
  let sequences = 0;
  /** State → number of further steps tried from it. */
  const met = new Map<string, number>();
  const visit = (path: readonly Op[], before: string, mentioned: boolean): void => {
    for (const op of operations) {
      if (skip !== "nothing" && !mentioned && keyOf(op) === "b") continue;
      const after = run(create(), path, op).fingerprint();
      sequences++;
      const left = length - path.length - 1;
      const followed = met.get(after) ?? -1;
      if (left > followed) met.set(after, left);
      const isSkipped = (skip !== "nothing" && after === before) || (skip === "states" && followed >= left);
      if (left > 0 && !isSkipped) visit([...path, op], after, mentioned || keyOf(op) === "a");
    }
  };
  const start = create().fingerprint();
  met.set(start, length);
  visit([], start, false);
  return { sequences, states: met.size, ofThisLength: operations.length ** length };
}

function run<Op>(pair: Pair<Op>, path: readonly Op[], last: Op): Pair<Op> {
  for (const step of path) pair.apply(step);
  try {
    pair.apply(last);
    pair.compare();
  } catch (error) {
    throw new Error(`after ${JSON.stringify([...path, last])}: ${errorText(error)}`, {
      cause: error,
    });
  }
  return pair;
}

/** Returns a one-line summary for the output of a test. */
export function printTried(what: string, length: number, { sequences, states, ofThisLength }: Tried): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  return `${what}: every sequence of ${length} operations or fewer over 2 keys (of ${length}: ${count(ofThisLength)}): ${count(sequences)} run, ${count(states)} states, all equal to the model\n`;
}
