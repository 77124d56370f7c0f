/** Codes near one that does not exist: a wrong digit, or words instead of a code. */
import type { Problem } from "./problem.ts";

const shown = 3;

/** Returns the codes of the same area with the most equal digits; for words, those whose titles contain most of them. */
export function nearestCodes(wanted: string, problems: readonly Problem[]): readonly Problem[] {
  const digits = /^DRV(\d{4})$/.exec(wanted)?.[1];
  const score = digits === undefined ? wordScore(wanted) : digitScore(digits);
  return problems
    .map((problem) => ({ problem, score: score(problem) }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, shown)
    .map(({ problem }) => problem);
}

const digitScore =
  (digits: string) =>
  ({ code }: Problem): number => {
    const equal = digits.split("").map((digit, index) => code[index + 3] === digit);
    const area = equal.slice(0, 2).every(Boolean) ? 2 : 0;
    return area + equal.filter(Boolean).length - Math.abs(Number(digits) - Number(code.slice(3))) / 10_000;
  };

function wordScore(text: string): (problem: Problem) => number {
  const words =
    text
      .slice(0, 200)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return ({ title, means }) => {
    const [head, body] = [title.toLowerCase(), means.toLowerCase()];
    return words.reduce((sum, word) => sum + (head.includes(word) ? 3 : body.includes(word) ? 1 : 0), 0);
  };
}
