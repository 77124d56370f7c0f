/** Findings as lines of at most 80 columns. */
import { wrapped } from "../ask/text-table.ts";
import { oneLine } from "../terminal-text.ts";
import type { Finding, Verdict } from "./finding.ts";

const marks: Readonly<Record<Verdict, string>> = { ok: "ok  ", warn: "warn", fail: "FAIL", skip: "-   " };

/** Returns one line, and one with the fix. */
export function findingText({ verdict, check, says, fix, code }: Finding): readonly string[] {
  const text = wrapped(`${marks[verdict]}  ${check}: ${oneLine(says)}${code === undefined ? "" : ` [${code}]`}`);
  return [...text.map(indented), ...(fix === undefined ? [] : wrapped(`      fix: ${oneLine(fix)}`).map(indented))];
}

/** Returns the last line: how many checks failed. */
export function verdictText(found: readonly Finding[]): string {
  const count = (verdict: Verdict): number => found.filter((finding) => finding.verdict === verdict).length;
  const [fails, warnings] = [count("fail"), count("warn")];
  const noun = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  if (fails === 0) return warnings === 0 ? "All checks passed." : `No check failed; ${noun(warnings, "warning")}.`;
  return `${noun(fails, "check")} failed${warnings === 0 ? "" : `, ${noun(warnings, "warning")}`}.`;
}

/** Further lines begin below the text. */
const indented = (line: string, index: number): string => (index === 0 ? line : `      ${line.trimStart()}`);
