import { describe, expect, it } from "vitest";
import { compare, printDifference, printDisagreement } from "./compare.ts";
import type { Trajectory } from "./compare.ts";

const play = (facts: Readonly<Record<string, string>>, ...more: readonly Readonly<Record<string, string>>[]): Trajectory =>
  [facts, ...more].map((each, index) => ({ name: `step ${index + 1}`, facts: new Map(Object.entries(each)) }));

describe("compare", () => {
  it("finds no difference between equal facts", () => {
    expect(compare([play({ a: "1", b: "2" })], [play({ b: "2", a: "1" })])).toEqual({
      differences: [],
      disagreements: [],
      facts: 2,
      chances: 0,
    });
  });

  it("reports missing facts and different values", () => {
    const { differences } = compare([play({ a: "1" })], [play({ a: "2", b: "3" })]);
    expect(differences).toEqual([
      { step: "step 1", about: "a", ours: ["1"], theirs: "2" },
      { step: "step 1", about: "b", ours: [undefined], theirs: "3" },
    ]);
    expect(differences.map(printDifference)).toEqual([
      'in "step 1", a\n    ours    1\n    theirs  2',
      'in "step 1", b\n    ours    nothing\n    theirs  3',
    ]);
  });

  it("leaves out facts on which the real plays disagree", () => {
    expect(compare([play({ a: "1" })], [play({ a: "2" }), play({ a: "3" })])).toMatchObject({ differences: [], facts: 0, chances: 1 });
    expect(compare([play({ a: "1" })], [play({ a: "2" }), play({})])).toMatchObject({ differences: [], chances: 1 });
  });

  it("reports a difference unless the majority of our plays agrees with the real ones", () => {
    const theirs = [play({ a: "2" }), play({ a: "2" })];
    const ours = (...values: readonly string[]): Trajectory[] => values.map((a) => play({ a }));
    expect(compare(ours("1", "2", "2"), theirs).differences).toEqual([]);
    expect(compare(ours("1", "2"), theirs).differences).toEqual([{ step: "step 1", about: "a", ours: ["1", "2"], theirs: "2" }]);
    expect(compare(ours("1", "1", "1", "1", "1", "2"), theirs).differences).toHaveLength(1);
    expect(compare(ours("1", "3"), theirs).differences).toEqual([{ step: "step 1", about: "a", ours: ["1", "3"], theirs: "2" }]);
  });

  it("reports a fact on which our plays disagree, with the number of plays", () => {
    const { disagreements, differences } = compare([play({ a: "1" }), play({ a: "2" }), play({ a: "2" })], [play({ a: "2" })]);
    expect(differences).toEqual([]);
    expect(disagreements).toEqual([{ step: "step 1", about: "a", ours: ["1", "2"], theirs: "2", matching: 2, plays: 3 }]);
    expect(disagreements.map(printDisagreement)).toEqual([
      'in "step 1", a\n    ours    1\n    ours    2\n    theirs  2\n    2 of 3 plays of ours agree with the real parts',
    ]);
  });

  it("reports steps that one side did not play", () => {
    expect(compare([play({ a: "1" })], [play({ a: "1" }, { b: "2" })]).differences.map(({ step, about }) => [step, about])).toEqual([
      ["step 2", "problem"],
      ["step 2", "b"],
    ]);
  });
});
