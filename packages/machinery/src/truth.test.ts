import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { and, not, or } from "./truth.ts";

const yes = (): boolean => true;
const no = (): boolean => false;
const never = (): boolean => {
  throw new Error("asked although the answer was known");
};

describe("and, or, not", () => {
  it("combine predicates, also none", () => {
    expect([and(yes, yes)(0), and(yes, no)(0), and()(0)]).toEqual([true, false, true]);
    expect([or(no, yes)(0), or(no, no)(0), or()(0)]).toEqual([true, false, false]);
    expect([not(yes)(0), not(no)(0)]).toEqual([false, true]);
  });

  it("stop as early as possible", () => {
    expect([and(no, never)(0), or(yes, never)(0)]).toEqual([false, true]);
  });

  it("obey De Morgan", () => {
    fc.assert(
      fc.property(fc.array(fc.func(fc.boolean())), fc.integer(), (questions, value) => {
        expect(not(and(...questions))(value)).toBe(or(...questions.map((question) => not(question)))(value));
      }),
    );
  });
});
