/** For tests: evaluates expressions with a `self` of any type. */
import { dynType } from "../check/cel-type.ts";
import { checkExpression } from "../check/checker.ts";
import type { Checked } from "../check/checker.ts";
import { namedTypes } from "../check/environment.ts";
import { checkLiterals } from "../check/literal-rules.ts";
import { compileProgram } from "../evaluate/program.ts";
import type { Evaluation } from "../evaluate/program.ts";
import { library } from "../library/library.ts";
import { parseExpression, printIssues } from "@drover/machinery/cel";
import type { CelFailure } from "../value/failure.ts";
import type { CelValue } from "../value/value.ts";

/** Parses and checks a text. Throws its problems. */
export function checkText(text: string): Checked {
  const parsed = parseExpression(text);
  if ("issues" in parsed) throw new Error(printIssues(text, parsed.issues));
  const checked = checkExpression(parsed.expression, {
    variable: (name) => (name === "self" ? dynType : namedTypes.get(name)),
    overloads: (name) => library.get(name),
  });
  const issues = "issues" in checked ? checked.issues : checkLiterals(checked);
  if ("issues" in checked || issues.length > 0) throw new Error(printIssues(text, issues));
  return checked;
}

/** Evaluates a text within a cost limit. */
export function runText(text: string, self: CelValue | CelFailure = null, limit = 1_000_000): Evaluation {
  return compileProgram(checkText(text))(new Map([["self", self]]), limit);
}

/** Returns the value of a text, or the message of its failure. */
export function valueOf(text: string, self: CelValue | CelFailure = null): CelValue {
  const { outcome } = runText(text, self);
  return typeof outcome === "object" && outcome !== null && "kind" in outcome && outcome.kind === "failure" ? outcome.message : outcome;
}
