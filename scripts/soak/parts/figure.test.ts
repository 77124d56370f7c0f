import { describe, expect, it } from "vitest";
import { durationText, parseDuration } from "./durations.ts";
import { figureMarkdown, figureTable, verdictOf } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { lostKeys } from "./load-scene.ts";
import { withFigures, withLongRun } from "./reliability-page.ts";
import { percentile, slopeOf } from "./statistics.ts";

const held: Figure = { row: 6, name: "lost reconciles", target: "0", measured: "0 lost", verdict: "held", command: "npm run soak -- load" };
const missed: Figure = {
  ...held,
  row: 14,
  name: "loop | delay",
  measured: "p99 93 ms",
  verdict: "not held",
  reason: "too slow",
  command: "x",
};

describe("verdictOf", () => {
  it("tells a figure that held for the whole target from a shortened one, and both from one that did not hold", () => {
    expect([verdictOf(true, true), verdictOf(true, false), verdictOf(false, true), verdictOf(false, false)]).toEqual([
      "held",
      "shortened",
      "not held",
      "not held",
    ]);
  });
});

describe("figureTable", () => {
  it("aligns the columns and adds the reason to what was measured", () => {
    expect(figureTable([held, missed])).toBe(
      [
        "row  figure           target  measured             held      command",
        "6    lost reconciles  0       0 lost               held      npm run soak -- load",
        "14   loop | delay     0       p99 93 ms; too slow  NOT HELD  x",
        "",
      ].join("\n"),
    );
  });
});

describe("figureMarkdown", () => {
  it("escapes bars and shows the command as code", () => {
    expect(figureMarkdown([missed]).split("\n").at(-1)).toBe("| 14 | loop \\| delay | 0 | p99 93 ms; too slow | NOT HELD | `x` |");
  });
});

describe("withFigures", () => {
  const conditions = { date: "2026-11-17", commit: "abc", machine: "2 cores", load: "0.1; 1.9", command: "npm run soak -- all" };
  const page = "before\n<!-- figures: written by npm run soak -- all --write -->\nold\n<!-- end of figures -->\nafter\n";

  it("replaces the part between the markers, and only that", () => {
    const once = withFigures(page, [held, missed], conditions);
    expect(once).toMatch(/^before\n<!-- figures/);
    expect(once).toMatch(/<!-- end of figures -->\nafter\n$/);
    expect(once).toContain("1 of 2 figures held");
    expect(once).not.toContain("old");
    expect(withFigures(once, [held, missed], conditions)).toBe(once);
  });

  it("refuses a page without markers", () => {
    expect(() => withFigures("text", [], conditions)).toThrow("docs/reliability.md has no");
  });
});

describe("lostKeys", () => {
  it("names objects whose newest state was not seen, and deleted ones that were not seen as deleted", () => {
    const of = (...revisions: number[]): Float64Array => Float64Array.from(revisions);
    expect(lostKeys({ "soak-a": of(5, 5, 0, 0), "soak-b": of(7) }, { "soak-a": of(5, 4, 0, 3), "soak-b": of(8) })).toEqual([
      "soak-a/n1",
      "soak-a/n3",
    ]);
  });
});

describe("slopeOf", () => {
  it("finds the slope of a line, and is uncertain about noise", () => {
    const line = Array.from({ length: 30 }, (_, x) => [x, 3 * x + 1] as const);
    expect(slopeOf(line).slope).toBeCloseTo(3);
    expect(slopeOf(line).margin).toBeCloseTo(0);
    const noise = slopeOf(Array.from({ length: 30 }, (_, x) => [x, x % 2] as const));
    expect(Math.abs(noise.slope)).toBeLessThan(noise.margin);
    expect(slopeOf([]).margin).toBe(Infinity);
  });
});

describe("percentile", () => {
  it("returns a value of the list: the largest for 1, NaN for none", () => {
    expect([percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.99), percentile([3, 1, 2], 1), percentile([], 0.5)]).toEqual([
      2,
      3,
      3,
      NaN,
    ]);
  });
});

describe("parseDuration", () => {
  it("reads what durationText and people write, and refuses the rest", () => {
    expect(["10m", "90s", "1h30m", "250ms"].map(parseDuration)).toEqual([600_000, 90_000, 5_400_000, 250]);
    expect(["", "10", "m", "10 m", "-1s"].map(parseDuration)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect([600_000, 90_000, 7_200_000, 12].map(durationText)).toEqual(["10 min", "90 s", "2 h", "12 ms"]);
  });
});

describe("withLongRun", () => {
  const empty = "a\n<!-- long runs: written by npm run soak -- NAME --write -->\n<!-- end of long runs -->\nb\n";

  it("adds rows with date and commit, and replaces those of the same command", () => {
    const once = withLongRun(empty, [held, missed], { date: "Monday", commit: "abc" });
    const twice = withLongRun(once, [{ ...held, measured: "1 lost" }], { date: "Tuesday", commit: "def" });
    expect(twice).toBe(
      [
        "a",
        "<!-- long runs: written by npm run soak -- NAME --write -->",
        "",
        "| row | figure | target | measured | held | command | measured on |",
        "|---|---|---|---|---|---|---|",
        "| 14 | loop \\| delay | 0 | p99 93 ms; too slow | NOT HELD | `x` | Monday, commit abc |",
        "| 6 | lost reconciles | 0 | 1 lost | held | `npm run soak -- load` | Tuesday, commit def |",
        "",
        "<!-- end of long runs -->",
        "b",
        "",
      ].join("\n"),
    );
  });

  it("refuses a page without the markers", () => {
    expect(() => withLongRun("a", [held], { date: "", commit: "" })).toThrow(/has no "<!-- long runs/);
  });
});
