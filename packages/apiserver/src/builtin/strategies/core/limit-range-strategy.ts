/** The strategy of LimitRange. */
import type { LimitRange, LimitRangeItem } from "@drover/api/core/v1";
import {
  checkQualifiedName,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldRequired,
  formatGoFixed,
  getOwn,
  Quantity,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { duplicateName, invalidName } from "../named-text.ts";
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from "../pod/resource-names.ts";

type Item = DeepReadonly<LimitRangeItem>;
type Bound = "min" | "max" | "default" | "defaultRequest" | "maxLimitRequestRatio";

/** The strategy of LimitRange. */
export const limitRangeStrategy: Strategy<LimitRange> = {
  validate: validateLimitRange,
  validateUpdate: (range) => validateLimitRange(range),
};

function validateLimitRange({ spec }: DeepReadonly<LimitRange>): FieldError[] {
  const types = new Set<string>();
  return (spec?.limits ?? []).flatMap((item, index) => {
    const path = `spec.limits[${index}]`;
    const errors = validateType(item.type, `${path}.type`);
    if (types.has(item.type)) errors.push(duplicateName(`${path}.type`, item.type));
    types.add(item.type);
    return [...errors, ...validateItem(item, path)];
  });
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(type).map((problem) => invalidName(path, type, problem));
  if (problems.length > 0 || type.includes("/") || ["Pod", "Container", "PersistentVolumeClaim"].includes(type)) return problems;
  return [invalidName(path, type, "must be a standard limit type or fully qualified")];
}

function validateItem(item: Item, path: FieldPath): FieldError[] {
  const isPod = item.type === "Pod";
  const checkName = isPod || item.type === "Container" ? validateContainerResourceName : validateResourceName;
  const names = (bound: Bound): FieldError[] =>
    Object.keys(item[bound] ?? {}).flatMap((name) => checkName(name, fieldKey(`${path}.${bound}`, name)));
  const forbidden = (bound: Bound): FieldError[] =>
    Object.keys(item[bound] ?? {}).length > 0 ? [fieldForbidden(`${path}.${bound}`, "may not be specified when `type` is 'Pod'")] : [];
  const defaults = isPod ? [...forbidden("default"), ...forbidden("defaultRequest")] : [...names("default"), ...names("defaultRequest")];
  const needsStorage =
    item.type === "PersistentVolumeClaim" &&
    amountOf(item, "min", "storage") === undefined &&
    amountOf(item, "max", "storage") === undefined;
  const bounds: readonly Bound[] = ["max", "min", ...(isPod ? [] : (["default", "defaultRequest"] as const)), "maxLimitRequestRatio"];
  const all = new Set(bounds.flatMap((bound) => Object.keys(item[bound] ?? {})));
  return [
    ...names("max"),
    ...names("min"),
    ...defaults,
    ...(needsStorage
      ? [fieldRequired(`${path}.limits`, "either minimum or maximum storage value is required, but neither was provided")]
      : []),
    ...names("maxLimitRequestRatio"),
    ...[...all].flatMap((name) => validateBounds(isPod ? { ...item, default: {}, defaultRequest: {} } : item, name, path)),
  ];
}

function amountOf(item: Item, bound: Bound, name: string): Quantity | undefined {
  const value: QuantityValue | undefined = getOwn(item[bound] ?? {}, name);
  return value === undefined ? undefined : Quantity.fromJson(value);
}

/** min ≤ defaultRequest ≤ default ≤ max. Messages show the same values as kube-apiserver's. */
function validateBounds(item: Item, name: string, path: FieldPath): FieldError[] {
  const [min, max, limit, request] = (["min", "max", "default", "defaultRequest"] as const).map((bound) => amountOf(item, bound, name));
  const errors: FieldError[] = [];
  const refuse = (bound: Bound, shown: Quantity, detail: string): void =>
    void errors.push(fieldInvalid(fieldKey(`${path}.${bound}`, name), shown.toString(), detail));
  const check = (
    bound: Bound,
    lower: Quantity | undefined,
    higher: Quantity | undefined,
    texts: readonly [string, string],
    shown: "lower" | "higher",
  ): void => {
    if (lower === undefined || higher === undefined || lower.compare(higher) <= 0) return;
    refuse(bound, shown === "lower" ? lower : higher, `${texts[0]} ${lower.toString()} is greater than ${texts[1]} ${higher.toString()}`);
  };
  check("min", min, max, ["min value", "max value"], "lower");
  check("defaultRequest", min, request, ["min value", "default request value"], "higher");
  check("defaultRequest", request, max, ["default request value", "max value"], "lower");
  check("defaultRequest", request, limit, ["default request value", "default limit value"], "lower");
  check("default", min, limit, ["min value", "default value"], "lower");
  check("default", limit, max, ["default value", "max value"], "higher");
  const problem = findRatioProblem(amountOf(item, "maxLimitRequestRatio", name), min, max);
  if (problem !== undefined) refuse("maxLimitRequestRatio", problem.ratio, problem.detail);
  if (!isOvercommitAllowed(name) && limit !== undefined && request !== undefined && limit.compare(request) !== 0) {
    refuse(
      "defaultRequest",
      request,
      `default value ${limit.toString()} must equal to defaultRequest value ${request.toString()} in ${name}`,
    );
  }
  return errors;
}

function findRatioProblem(
  ratio: Quantity | undefined,
  min: Quantity | undefined,
  max: Quantity | undefined,
): { readonly ratio: Quantity; readonly detail: string } | undefined {
  if (ratio === undefined) return undefined;
  if (ratio.compare(Quantity.of(1n)) < 0) return { ratio, detail: `ratio ${ratio.toString()} is less than 1` };
  if (min === undefined || max === undefined) return undefined;
  const limit = max.asApproximateNumber() / min.asApproximateNumber();
  return ratio.asApproximateNumber() > limit
    ? { ratio, detail: `ratio ${ratio.toString()} is greater than max/min = ${formatGoFixed(limit)}` }
    : undefined;
}
