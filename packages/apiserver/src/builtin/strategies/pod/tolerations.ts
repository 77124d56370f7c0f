/** Validates tolerations. */
import { checkLabelValue, fieldChild, fieldForbidden, fieldIndex, fieldInvalid, semanticEqual, validateLabelName } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Toleration } from "@drover/api/core/v1";
import { validateOptionalChoice } from "../checked-field.ts";
import { invalidName, unsupportedName } from "../named-text.ts";

/** Validates each on its own. */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: FieldPath): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => {
    const at = fieldIndex(path, index);
    const {
      key = "",
      operator = "",
      effect = "",
    }: { readonly key?: string; readonly operator?: string; readonly effect?: string } = toleration;
    const [operatorPath, effectPath] = [fieldChild(at, "operator"), fieldChild(at, "effect")];
    return [
      ...(key === "" ? [] : validateLabelName(key, fieldChild(at, "key"))),
      ...(key === "" && operator !== "Exists"
        ? [invalidName(operatorPath, operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"')]
        : []),
      ...(toleration.tolerationSeconds !== undefined && effect !== "NoExecute"
        ? [invalidName(effectPath, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
      ...validateOperator(operator, toleration.value ?? "", operatorPath),
      ...(effect === "" ? [] : validateOptionalChoice(effect, effectPath, ["NoSchedule", "PreferNoSchedule", "NoExecute"])),
    ];
  });
}

/** An existing pod may get more tolerations and other tolerationSeconds; nothing else can change. */
export function validateTolerationsUpdate(
  tolerations: readonly Toleration[] | undefined,
  old: readonly Toleration[] | undefined,
  path: FieldPath,
): FieldError[] {
  const isKept = (before: Toleration): boolean =>
    (tolerations ?? []).some((after) => semanticEqual({ ...before, tolerationSeconds: 0 }, { ...after, tolerationSeconds: 0 }));
  if (!(old ?? []).every(isKept)) return [fieldForbidden(path, "existing toleration can not be modified except its tolerationSeconds")];
  return validateTolerations(tolerations, path);
}

function validateOperator(operator: string, value: string, path: FieldPath): FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = checkLabelValue(value);
      return problems.length === 0 ? [] : [fieldInvalid(path, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [fieldInvalid(path, value, "value must be empty when `operator` is 'Exists'")];
    // Behind a feature gate that is off by default.
    case "Lt":
    case "Gt":
      return [unsupportedName(path, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [unsupportedName(path, operator, ["Equal", "Exists"])];
  }
}
