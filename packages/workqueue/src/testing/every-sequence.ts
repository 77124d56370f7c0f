/**
 * Tries every sequence of operations up to a length on a real thing and on its model, side by side.
 *
 *     queue-model.test.ts, classic-queue-model.test.ts → everySequence
 */
import { errorText } from "@drover/machinery";

/** The real thing and the model, to which the same is done. */
export interface Pair<Op> {
  /** Does it to both and throws when they answer differently. */
  readonly apply: (op: Op) => void;
  /** Throws when they look different from outside. */
  readonly compare: () => void;
  /** The whole state of the model; two equal ones have the same future. */
  readonly fingerprint: () => string;
}

export interface EverySequenceOptions<Op> {
  readonly operations: readonly Op[];
  readonly length: number;
  readonly create: () => Pair<Op>;
  /**
   * What need not be tried twice.
   * - `nothing`: every sequence is run as it is.
   * - `idle steps`: nothing follows a step that changed nothing (without it the sequence is a shorter one, which is followed), and the
   *   first key to be mentioned is the first one, as the keys are alike.
   * - `states`: also, a state of the model that was met before is not followed again. Reaches furthest, and sees least
   *   of what is inside the
   *   real thing.
   */
  readonly skip: "nothing" | "idle steps" | "states";
  /** Which key an operation is about: "a" is the first, "b" the second. */
  readonly keyOf: (op: Op) => "a" | "b" | undefined;
}

export interface Tried {
  /** Sequences that were run, each compared after its last step. */
  readonly sequences: number;
  /** Different states of the model that were met. */
  readonly states: number;
  /** How many sequences of exactly this length there are. */
  readonly ofThisLength: number;
}

export function everySequence<Op>({ operations, length, create, skip, keyOf }: EverySequenceOptions<Op>): Tried {
  let sequences = 0;
  /** State → how many more steps it was followed for. */
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

/** What a test prints about it. */
export function printTried(what: string, length: number, { sequences, states, ofThisLength }: Tried): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  return `${what}: every sequence of ${length} operations or fewer over 2 keys (of ${length}: ${count(ofThisLength)}): ${count(sequences)} run, ${count(states)} states, all equal to the model\n`;
}
