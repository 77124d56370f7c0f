/** What a check of `drover doctor` found. */
import { errorText, findApiError, isForbidden } from "@drover/machinery";
import { codedText } from "@drover/machinery/codes";
import type { ProblemCode } from "@drover/machinery/codes";

/** "skip" is a check that could not be made, because an earlier one failed or it is not permitted. */
export type Verdict = "ok" | "warn" | "fail" | "skip";

export interface Finding {
  /** What was checked: "kubeconfig", "clock". */
  readonly check: string;
  readonly verdict: Verdict;
  /** What was found, in one line. */
  readonly says: string;
  /** What to do. @default nothing */
  readonly fix?: string;
  /** The page about it. @default none */
  readonly code?: ProblemCode;
}

/** Findings that are all of one check. */
export type Findings = readonly Finding[];

export const ok = (check: string, says: string): Finding => ({ check, verdict: "ok", says });

export const skipped = (check: string, says: string): Finding => ({ check, verdict: "skip", says });

/** A request of a check failed: a missing permission is no problem of the cluster. */
export function unchecked(check: string, what: string, error: unknown): Finding {
  const answer = findApiError(error);
  if (answer !== undefined && isForbidden(answer)) return skipped(check, `not checked: you may not ${what}`);
  return { check, verdict: "warn", says: `not checked: cannot ${what}: ${errorText(error)}` };
}

/** A finding from an error that has a code. */
export const failed = (check: string, error: unknown, fix: string): Finding => ({ check, verdict: "fail", says: codedText(error), fix });

/** Findings of a check over many objects: the problems, or one line that there are none. */
export function summed(check: string, problems: Findings, fine: string): Findings {
  const shown = problems.slice(0, problemsMax);
  const left = problems.length - shown.length;
  if (shown.length === 0) return [ok(check, fine)];
  return left === 0 ? shown : [...shown, { check, verdict: "warn", says: `… and ${left} further problems of this kind` }];
}

/** Problems of one check that are listed. */
const problemsMax = 20;
