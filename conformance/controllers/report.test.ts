import { expect, it } from "vitest";
import type { Judgement } from "./judge.ts";
import { printReport } from "./report.ts";
import { scene } from "./scene.ts";

it("printReport counts equal and different scenes by chapter, and leaves out chapters without plays", () => {
  const [a, b, c] = [scene("a"), scene("b"), scene("c")];
  const judgement = (differences: Judgement["differences"]): Judgement => ({
    differences,
    disagreements: [],
    facts: 10,
    chances: 1,
    plays: 2,
    theirs: [],
  });
  const judged = new Map([
    [a, judgement([])],
    [b, judgement([{ step: "s", about: "x", ours: ["1"], theirs: "2" }])],
  ]);
  expect(
    printReport(
      [
        { name: "one", scenes: [a, b] },
        { name: "other", scenes: [c] },
      ],
      judged,
    )
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ["scenes", "the same", "known to differ", "different", "facts", "chance", "ours vary", "plays"],
    ["one", "2", "1", "0", "1", "20", "2", "0", "4"],
    ["all", "2", "1", "0", "1", "20", "2", "0", "4"],
  ]);
});

it("printReport names the facts on which our own plays disagree", () => {
  const a = scene("a");
  const disagreement = { step: "s", about: "x", ours: ["1", "2"], theirs: "2", matching: 2, plays: 3 };
  const judged = new Map([[a, { differences: [], disagreements: [disagreement], facts: 10, chances: 0, plays: 3, theirs: [] }]]);
  expect(printReport([{ name: "one", scenes: [a] }], judged)).toContain(
    'our own plays disagree:\na: in "s", x\n    ours    1\n    ours    2\n    theirs  2\n    2 of 3 plays of ours agree',
  );
});
