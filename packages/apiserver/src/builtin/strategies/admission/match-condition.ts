/** Validates match conditions of webhooks and policies. */
import { checkQualifiedName, fieldDuplicate, fieldInternal, fieldInvalid, fieldRequired, fieldTooMany } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { admissionEnvironment } from "../../../cel/admission/admission-environment.ts";
import { compileAdmissionExpression } from "../../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../../cel/admission/admission-expression.ts";
import { boolType } from "../../../cel/check/cel-type.ts";
import type { Environment } from "../../../cel/check/environment.ts";
import { problemsOf } from "../checked-field.ts";
import { repeatsIn } from "../repeats.ts";

/** Each needs an expression that compiles, and a unique name. `hasParams` says whether `params` is declared. @default not declared */
export function validateMatchConditions(
  conditions: readonly { readonly name: string; readonly expression: string }[],
  path: FieldPath,
  { hasParams = false }: { readonly hasParams?: boolean } = {},
): FieldError[] {
  const environment = admissionEnvironment({ hasParams, hasAuthorizer: true });
  const tooMany = conditions.length > 64 ? [fieldTooMany(path, conditions.length, 64)] : [];
  const repeats = repeatsIn(conditions.map(({ name }) => name));
  return [
    ...tooMany,
    ...conditions.flatMap(({ name, expression }, index) => [
      ...validateCondition(expression.trim(), `${path}[${index}].expression`, environment),
      ...(name === "" ? [fieldRequired(`${path}[${index}].name`)] : problemsOf(`${path}[${index}].name`, name, checkQualifiedName(name))),
      ...(name !== "" && repeats.has(index) ? [fieldDuplicate(`${path}[${index}].name`, name)] : []),
    ]),
  ];
}

function validateCondition(expression: string, path: FieldPath, environment: Environment): FieldError[] {
  if (expression === "") return [fieldRequired(path)];
  const compiled = compileAdmissionExpression(expression, environment, [boolType]);
  return "problem" in compiled ? [expressionError(path, expression, compiled)] : [];
}

/** The error of an expression that does not compile. */
export function expressionError(
  path: FieldPath,
  expression: string,
  { problem, isInternal }: Pick<Extract<AdmissionExpression, { readonly problem: string }>, "problem" | "isInternal">,
): FieldError {
  return isInternal ? fieldInternal(path, problem) : fieldInvalid(path, expression, problem);
}
