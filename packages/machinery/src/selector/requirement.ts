/**
 * One condition on one label, and its validation.
 *
 *     parse-selector.ts, label-selector.ts → Requirement → Selector
 */
import { compareBytes } from "../go/byte-text.ts";
import { fieldInvalid, fieldNotSupported } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { printFieldErrors } from "../field/field-error-text.ts";
import { fieldChild, fieldIndex, fieldKey } from "../field/field-path.ts";
import type { FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { checkLabelValue, checkQualifiedName } from "../validation/label.ts";
import { parseInt64 } from "./int64-text.ts";
import { SelectorError } from "./selector-error.ts";

/** How a label relates to the values. `!` means that the label is absent; `gt` and `lt` are written `>` and `<`. */
export type RequirementOperator = "in" | "notin" | "=" | "==" | "!=" | "gt" | "lt" | "exists" | "!";

/** One condition on one label. {@link newRequirement} creates and validates one. */
export interface Requirement {
  readonly key: string;
  readonly operator: RequirementOperator;
  readonly values: readonly string[];
}

/** Operators between a key and values, in the order in which the server lists them. */
export const binaryOperators: readonly RequirementOperator[] = ["in", "notin", "=", "==", "!=", "gt", "lt"];

/**
 * Returns a valid requirement: a valid key, as many valid values as the operator takes, integers for `gt` and `lt`. Throws a {@link
 * SelectorError} that names all errors, below `path`.
 */
export function newRequirement(
  key: string,
  operator: RequirementOperator,
  values?: readonly string[],
  { path = "" }: { readonly path?: FieldPath } = {},
): Requirement {
  const errors = [
    ...validateKey(key, fieldChild(path, "key")),
    ...validateOperator(operator, values, path),
    ...(values ?? []).flatMap((value, index) => validateValue(key, value, fieldIndex(fieldChild(path, "values"), index))),
  ];
  if (errors.length > 0) throw new SelectorError(printFieldErrors(errors));
  return { key, operator, values: [...(values ?? [])] };
}

/** At most one error: an invalid label key, with all its problems in one line. */
export function validateKey(key: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(key);
  return problems.length === 0 ? [] : [fieldInvalid(path, key, problems.join("; "))];
}

/** Prints a requirement with sorted values: `tier in (api,web)`. */
export function printRequirement({ key, operator, values }: Requirement): string {
  if (operator === "exists") return key;
  if (operator === "!") return `!${key}`;
  const sorted = values.length > 1 ? values.toSorted(compareBytes).join(",") : (values[0] ?? "");
  if (operator === "in" || operator === "notin") return `${key} ${operator} (${sorted})`;
  return `${key}${operator === "gt" ? ">" : operator === "lt" ? "<" : operator}${sorted}`;
}

function validateOperator(operator: RequirementOperator, values: readonly string[] | undefined, path: FieldPath): FieldError[] {
  const count = values?.length ?? 0;
  const valuesPath = fieldChild(path, "values");
  const wrong = (isWrong: boolean, detail: string): FieldError[] => (isWrong ? [fieldInvalid(valuesPath, values ?? null, detail)] : []);
  switch (operator) {
    case "in":
    case "notin":
      return wrong(count === 0, "for 'in', 'notin' operators, values set can't be empty");
    case "=":
    case "==":
    case "!=":
      return wrong(count !== 1, "exact-match compatibility requires one single value");
    case "exists":
    case "!":
      return wrong(count !== 0, "values set must be empty for exists and does not exist");
    case "gt":
    case "lt":
      return [
        ...wrong(count !== 1, "for 'Gt', 'Lt' operators, exactly one value is required"),
        ...(values ?? []).flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [fieldInvalid(fieldIndex(valuesPath, index), value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
    default:
      return [unknownOperator(operator, path)];
  }
}

function unknownOperator(operator: string, path: FieldPath): FieldError {
  return {
    ...fieldNotSupported(fieldChild(path, "operator"), operator, [...binaryOperators, "exists", "!"]),
    valueText: printGoJson(operator),
  };
}

function validateValue(key: string, value: string, path: FieldPath): FieldError[] {
  const problems = checkLabelValue(value);
  return problems.length === 0 ? [] : [fieldInvalid(fieldKey(path, key), value, problems.join("; "))];
}
