/**
 * Splits a long evaluation into turns, so that others can work in between. A loop that has used up its turn ends the evaluation; the next
 * turn evaluates the expression again, and every loop goes on where it was: finished ones return their results, unfinished ones continue
 * with the round they were in. What is outside of loops is cheap to repeat.
 *
 *     program(values, limit, turns) → TurnOverError, again after a pause → the same outcome and cost as in one turn
 */
import type { CelFailure } from "../value/failure.ts";
import type { CelValue } from "../value/value.ts";

/** The part of a meter that turns need. */
interface SpentMeter {
  readonly spent: number;
  readonly resume: (spent: number) => void;
}

type Outcome = CelValue | CelFailure;

/** Cost units of a turn: about ten milliseconds. */
const turnCost = 50_000;

/** Ends a turn. Evaluate again with the same `Turns`. */
export class TurnOverError extends Error {
  override readonly name: string = "TurnOverError";
  /** The evaluations that it has ended, from the innermost: a variable of an expression is an evaluation of its own. */
  readonly ended: Set<Turns> = new Set();

  constructor() {
    super("the turn is over");
  }
}

/** A loop that a turn has ended. */
export interface UnfinishedLoop {
  /** Rounds that are complete. */
  readonly rounds: number;
  readonly accumulator: Outcome;
  /** Loops within the current round. */
  readonly inner: Frame;
  /** Set for the innermost loop of its evaluation: what was spent before the current round. */
  readonly spent: number | undefined;
}

/** The loops of the expression, or of one round of a loop, by the order in which they begin. */
export class Frame {
  readonly finished: Map<number, { readonly outcome: Outcome; readonly next: number }> = new Map();
  readonly unfinished: Map<number, UnfinishedLoop> = new Map();
  /** The place of the next loop. */
  next = 0;
}

/** The state of one evaluation across its turns. */
export class Turns {
  readonly #cost: number;
  #start = 0;
  frame: Frame = new Frame();

  /** `cost` is that of a turn. */
  constructor(cost: number = turnCost) {
    this.#cost = cost;
  }

  /** Begins an evaluation from the start, with what is known about its loops. */
  begin(): void {
    this.frame.next = 0;
    this.#start = 0;
  }

  /** Goes on in the innermost loop of the last turn. */
  resume(meter: SpentMeter, spent: number): void {
    meter.resume(spent);
    this.#start = spent;
  }

  isOver(meter: SpentMeter): boolean {
    return meter.spent - this.#start > this.#cost;
  }
}
