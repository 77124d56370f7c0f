/** Parses and type-checks the text of an expression. */
import { checkExpression } from "../check/checker.ts";
import type { Checked } from "../check/checker.ts";
import type { Environment } from "../check/environment.ts";
import { checkLiterals } from "../check/literal-rules.ts";
import { parseExpression, printIssues } from "@drover/machinery/cel";

/** Returns the checked expression, or all its issues as one text. */
export function checkText(text: string, environment: Environment): Checked | { readonly issues: string } {
  const parsed = parseExpression(text);
  if ("issues" in parsed) return { issues: printIssues(text, parsed.issues) };
  const checked = checkExpression(parsed.expression, environment);
  if ("issues" in checked) return { issues: printIssues(text, checked.issues) };
  const literals = checkLiterals(checked);
  return literals.length === 0 ? checked : { issues: printIssues(text, literals) };
}
