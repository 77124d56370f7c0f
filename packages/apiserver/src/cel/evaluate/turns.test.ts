import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";
import { fromJson, toJson } from "../value/json-value.ts";
import { isFailure } from "../value/failure.ts";
import { compileProgram } from "./program.ts";
import type { Evaluation } from "./program.ts";
import { TurnOverError, Turns } from "./turns.ts";

const self = fromJson({ l: [3, 1, 2, 5, 4], m: { a: 1, b: 2 }, n: 3 });
const values = new Map([["self", self]]);

/** Runs a text in turns of this cost; counts them. */
function inTurns(text: string, cost: number): { readonly evaluation: Evaluation; readonly count: number } {
  const program = compileProgram(checkText(text));
  const turns = new Turns(cost);
  for (let count = 1; ; count++) {
    try {
      return { evaluation: program(values, 10_000, turns), count };
    } catch (error) {
      if (!(error instanceof TurnOverError) || count > 100_000) throw error;
    }
  }
}

const shown = ({ outcome, cost, exceeded }: Evaluation): unknown => [isFailure(outcome) ? outcome : toJson(outcome), cost, exceeded];

const list: fc.Arbitrary<string> = fc.letrec<{ list: string; item: string; holds: string }>((tie) => ({
  list: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("self.l", "[1, 2, 3]", "[7]", "dyn([])", "self.none"),
    fc.tuple(tie("list"), tie("item")).map(([from, item]) => `${from}.map(x, ${item})`),
    fc.tuple(tie("list"), tie("holds")).map(([from, holds]) => `${from}.filter(x, ${holds})`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `(${a} + ${b})`),
  ),
  item: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("x", "x + 1", "self.n * x", "x / (x - 2)"),
    tie("list").map((text) => `size(${text})`),
    fc.tuple(tie("holds"), tie("item")).map(([holds, item]) => `(${holds} ? ${item} : 0)`),
  ),
  holds: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("x > 1", "x == 2", "x % 2 == 0"),
    fc.tuple(tie("list"), tie("holds")).map(([from, holds]) => `${from}.exists(x, ${holds})`),
    fc.tuple(tie("list"), tie("holds")).map(([from, holds]) => `${from}.all(x, ${holds})`),
    fc.tuple(tie("holds"), tie("holds")).map(([a, b]) => `(${a} && ${b})`),
  ),
})).list;

describe("an evaluation in turns", () => {
  it("has the outcome and the cost of an evaluation at once", () => {
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 200 }), (text, cost) => {
        const atOnce = compileProgram(checkText(text))(values, 10_000);
        expect(shown(inTurns(text, cost).evaluation)).toEqual(shown(atOnce));
      }),
    );
  });

  it("takes many turns, each with progress", () => {
    const { count, evaluation } = inTurns(
      "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c < 100))) && self.l.map(x, x).size() == 5",
      50,
    );
    expect(evaluation.outcome).toBe(true);
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(60);
  });

  it("ends at the cost limit", () => {
    const program = "self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, self.l.all(e, a + b + c + d + e < 100)))))";
    expect(inTurns(program, 500).evaluation).toMatchObject({ exceeded: true });
  });
});
