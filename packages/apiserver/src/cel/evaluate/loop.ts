/** Runs the rounds of a comprehension: at once, or in turns. */
import type { CelFailure } from "../value/failure.ts";
import type { CelValue } from "../value/value.ts";
import type { Meter } from "./meter.ts";
import { Frame, TurnOverError } from "./turns.ts";
import type { Turns } from "./turns.ts";

type Outcome = CelValue | CelFailure;

/** The loop variables of one round. */
export type Round = readonly [first: Outcome, second: Outcome];

type RunRound = (round: Round, accumulator: Outcome) => { readonly value: Outcome } | undefined;
type End = (accumulator: Outcome) => Outcome;

/** Runs all rounds until one returns nothing. */
export function loopAtOnce(rounds: readonly Round[], initial: Outcome, run: RunRound, end: End): Outcome {
  let value = initial;
  for (const each of rounds) {
    const next = run(each, value);
    if (next === undefined) break;
    ({ value } = next);
  }
  return end(value);
}

export interface Loop {
  readonly rounds: readonly Round[];
  readonly value: Outcome;
  readonly round: RunRound;
  readonly end: End;
}

/** The same, with the state of earlier turns. Throws a `TurnOverError`, after noting where it was. */
export function loopInTurns(meter: Meter, turns: Turns, { rounds, value: initial, round, end }: Loop): Outcome {
  const { frame } = turns;
  const place = frame.next++;
  const finished = frame.finished.get(place);
  if (finished !== undefined) {
    frame.next = finished.next;
    return finished.outcome;
  }
  const unfinished = frame.unfinished.get(place);
  frame.unfinished.delete(place);
  let value = unfinished === undefined ? initial : unfinished.accumulator;
  let index = unfinished?.rounds ?? 0;
  let inner = unfinished?.inner ?? new Frame();
  if (unfinished?.spent !== undefined) turns.resume(meter, unfinished.spent);
  let { spent } = meter;
  try {
    for (; index < rounds.length; index++) {
      ({ spent } = meter);
      if (turns.isOver(meter)) throw new TurnOverError();
      turns.frame = inner;
      inner.next = 0;
      const next = round(rounds[index] as Round, value);
      if (next === undefined) index = rounds.length;
      else ({ value } = next);
      inner = new Frame();
    }
    ({ spent } = meter);
    turns.frame = frame;
    const outcome = end(value);
    frame.finished.set(place, { outcome, next: frame.next });
    return outcome;
  } catch (error) {
    turns.frame = frame;
    if (error instanceof TurnOverError) {
      frame.unfinished.set(place, { rounds: index, accumulator: value, inner, spent: error.ended.has(turns) ? undefined : spent });
      error.ended.add(turns);
    }
    throw error;
  }
}
