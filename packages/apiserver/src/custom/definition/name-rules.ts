/** Validates the names of a definition, both requested and accepted. */
import type { CustomResourceDefinitionNames } from "@drover/api/apiextensions/v1";
import { checkDns1035Label, fieldChild, fieldIndex, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** Validates the names that are set. */
export function checkNames(
  { plural, singular = "", kind, listKind = "", shortNames, categories }: CustomResourceDefinitionNames,
  path: FieldPath,
): FieldError[] {
  return [
    ...checkLabel(plural, fieldChild(path, "plural")),
    ...checkLabel(singular, fieldChild(path, "singular")),
    ...checkKind(kind, fieldChild(path, "kind")),
    ...checkKind(listKind, fieldChild(path, "listKind")),
    ...checkLabels(shortNames, fieldChild(path, "shortNames")),
    ...(kind !== "" && kind === listKind
      ? [fieldInvalid(fieldChild(path, "listKind"), listKind, "kind and listKind may not be the same")]
      : []),
    ...checkLabels(categories, fieldChild(path, "categories")),
  ];
}

/** Reports required names that are missing. */
export function requireNames({ plural, singular = "", kind, listKind = "" }: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const names = { plural, singular, kind, listKind };
  return Object.entries(names).flatMap(([name, value]) => (value === "" ? [fieldRequired(fieldChild(path, name))] : []));
}

function checkLabel(name: string, path: FieldPath): FieldError[] {
  const problems = name === "" ? [] : checkDns1035Label(name);
  return problems.length === 0 ? [] : [fieldInvalid(path, name, problems.join(","))];
}

function checkKind(kind: string, path: FieldPath): FieldError[] {
  const problems = kind === "" ? [] : checkDns1035Label(kind.toLowerCase());
  return problems.length === 0 ? [] : [fieldInvalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

function checkLabels(names: readonly string[] | undefined, path: FieldPath): FieldError[] {
  return (names ?? []).flatMap((name, index) => {
    const problems = checkDns1035Label(name);
    return problems.length === 0 ? [] : [fieldInvalid(fieldIndex(path, index), name, problems.join(","))];
  });
}
