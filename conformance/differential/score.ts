/** The table at the end of `npm run test:differential`: how many probes of each chapter are answered alike. */
import { compare } from "./compare.ts";
import type { Difference } from "./compare.ts";
import type { Chapter } from "./probe.ts";
import type { Recording } from "./recording.ts";

export interface ChapterScore {
  readonly chapter: string;
  readonly probes: number;
  readonly equal: number;
}

/** Counts the probes of a chapter without any difference, explained or not. */
export function scoreOf({ name, probes }: Chapter, expected: Recording, actual: Recording): ChapterScore {
  return {
    chapter: name,
    probes: probes.length,
    equal: probes.filter((probe) => differencesOf(probe.name, expected, actual).length === 0).length,
  };
}

/** The differences of one probe between two recordings; a probe that only one of them has differs completely. */
export const differencesOf = (probeName: string, expected: Recording, actual: Recording): Difference[] =>
  compare(expected.get(probeName) ?? [], actual.get(probeName) ?? []);

/** One line per chapter and one for all. */
export function printScores(scores: readonly ChapterScore[]): string {
  const sum = (key: "probes" | "equal"): number => scores.reduce((total, score) => total + score[key], 0);
  const all: readonly ChapterScore[] = [...scores, { chapter: "all", probes: sum("probes"), equal: sum("equal") }];
  const rows = [
    ["chapter", "probes", "equal", "different", "percent"],
    ...all.map(({ chapter, probes, equal }) => [
      chapter,
      String(probes),
      String(equal),
      String(probes - equal),
      (probes === 0 ? 100 : (100 * equal) / probes).toFixed(1),
    ]),
  ];
  return rows.map(([chapter = "", ...numbers]) => chapter.padEnd(12) + numbers.map((number) => number.padStart(10)).join("")).join("\n");
}
