/** Validates match conditions of webhooks and policies. CEL expressions are not compiled here. */
import { checkQualifiedName, fieldDuplicate, fieldRequired, fieldTooMany } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { problemsOf } from "../checked-field.ts";
import { repeatsIn } from "../repeats.ts";

/** Each needs an expression and a unique name. */
export function validateMatchConditions(
  conditions: readonly { readonly name: string; readonly expression: string }[],
  path: FieldPath,
): FieldError[] {
  const tooMany = conditions.length > 64 ? [fieldTooMany(path, conditions.length, 64)] : [];
  const repeats = repeatsIn(conditions.map(({ name }) => name));
  return [
    ...tooMany,
    ...conditions.flatMap(({ name, expression }, index) => [
      ...(expression.trim() === "" ? [fieldRequired(`${path}[${index}].expression`)] : []),
      ...(name === "" ? [fieldRequired(`${path}[${index}].name`)] : problemsOf(`${path}[${index}].name`, name, checkQualifiedName(name))),
      ...(name !== "" && repeats.has(index) ? [fieldDuplicate(`${path}[${index}].name`, name)] : []),
    ]),
  ];
}
