/**
 * Compiles expressions of webhooks and policies.
 *
 *     text, Environment → compileAdmissionExpression → AdmissionExpression
 */
import { printFullType, sameType } from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";
import type { Environment } from "../check/environment.ts";
import { constantProblem } from "../evaluate/constant.ts";
import { compileProgram } from "../evaluate/program.ts";
import type { Program } from "../evaluate/program.ts";
import { checkText } from "../rules/check-text.ts";

/** A compiled expression, or why it does not compile. */
export type AdmissionExpression =
  | { readonly text: string; readonly program: Program; readonly type: CelType }
  | {
      readonly text: string;
      readonly problem: string;
      /** Whether kube-apiserver calls it an internal error. */
      readonly isInternal: boolean;
    };

/** Compiles a text whose result must have one of the types; any type if none is given. */
export function compileAdmissionExpression(text: string, environment: Environment, wanted: readonly CelType[] = []): AdmissionExpression {
  const checked = checkText(text, environment);
  if ("issues" in checked) return { text, problem: `compilation failed: ${checked.issues}`, isInternal: false };
  const { type } = checked;
  if (wanted.length > 0 && !wanted.some((each) => sameType(each, type)))
    return { text, problem: wrongType(type, wanted), isInternal: false };
  const problem = constantProblem(checked);
  if (problem !== undefined) return { text, problem: `program instantiation failed: ${problem}`, isInternal: true };
  return { text, program: compileProgram(checked), type };
}

function wrongType(type: CelType, wanted: readonly CelType[]): string {
  const names = wanted.map(printFullType);
  const expected = names.length === 1 ? (names[0] ?? "") : `one of [${names.join(" ")}]`;
  return `must evaluate to ${expected} but got ${printFullType(type)}`;
}
