import { describe, expect, it } from "vitest";
import { probe } from "./probe.ts";
import type { Recording } from "./recording.ts";
import { printScores, scoreOf } from "./score.ts";

const recording = (...values: readonly (readonly [string, number])[]): Recording =>
  new Map(values.map(([name, value]) => [name, [{ fact: "answer", value }]]));

describe("scores", () => {
  it("count a probe as equal only without any difference, and one without a recording as different", () => {
    const chapter = { name: "patch", probes: ["P1 a", "P2 b", "P3 c"].map((name) => probe(name, () => Promise.resolve())) };
    expect(scoreOf(chapter, recording(["P1 a", 1], ["P2 b", 2]), recording(["P1 a", 1], ["P2 b", 9], ["P3 c", 3]))).toEqual({
      chapter: "patch",
      probes: 3,
      equal: 1,
    });
  });

  it("are printed as a table with a total", () => {
    expect(
      printScores([
        { chapter: "list", probes: 3, equal: 3 },
        { chapter: "patch", probes: 1, equal: 0 },
      ]),
    ).toBe(
      [
        "chapter         probes     equal different   percent",
        "list                 3         3         0     100.0",
        "patch                1         0         1       0.0",
        "all                  4         3         1      75.0",
      ].join("\n"),
    );
  });
});
