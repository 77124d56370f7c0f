/** Validates which amounts of a shared device's capacity a claim may ask for: some values, or a range with steps. */
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from "@drover/api/resource/v1";
import { Quantity, errorsOfEach, fieldForbidden, fieldInvalid, fieldRequired, fieldTooMany } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import { duplicatesOf } from "../repeats.ts";

const valuesMax = 10;

/** Returns the errors of a policy for a device with this capacity. */
export function validateRequestPolicy(
  capacity: QuantityValue,
  { default: preset, validValues = [], validRange }: DeepReadonly<CapacityRequestPolicy>,
  path: FieldPath,
): FieldError[] {
  const isList = validValues.length > 0;
  if (isList && validRange !== undefined)
    return [fieldForbidden(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')];
  if (!isList && validRange === undefined) return [];
  const field = isList ? "validValues" : "validRange";
  if (preset === undefined) return [fieldRequired(`${path}.default`, `required when ${field} is defined`)];
  const [most, usual] = [Quantity.fromJson(capacity), Quantity.fromJson(preset)];
  if (validRange !== undefined) return validateRange(most, usual, validRange, `${path}.validRange`);
  return validateValues(
    most,
    usual,
    validValues.map((value) => Quantity.fromJson(value)),
    `${path}.validValues`,
  );
}

function validateValues(most: Quantity, usual: Quantity, values: readonly Quantity[], path: FieldPath): FieldError[] {
  const isAfterLarger = (value: Quantity, index: number): boolean => index > 0 && (values[index - 1]?.compare(value) ?? 0) > 0;
  return [
    ...errorsOfEach(values, (value, index) =>
      isAfterLarger(value, index) ? [fieldInvalid(`${path}[${index}]`, value.toString(), "values must be sorted in ascending order")] : [],
    ),
    ...(values.length > valuesMax
      ? [fieldTooMany(path, values.length, valuesMax)]
      : [
          ...errorsOfEach(values, (value, index) =>
            value.compare(most) > 0
              ? [fieldInvalid(`${path}[${index}]`, value.toString(), `option is larger than capacity value: ${most.toString()}`)]
              : [],
          ),
          ...duplicatesOf(
            values.map((value) => String(value.value())),
            path,
          ),
        ]),
    ...(values.length <= valuesMax && values.some((value) => value.equals(usual))
      ? []
      : [fieldInvalid(path, usual.toString(), "default value is not valid according to the requestPolicy")]),
  ];
}

function validateRange(
  most: Quantity,
  usual: Quantity,
  { min: least, max, step: distance }: DeepReadonly<Partial<CapacityRequestPolicyRange>>,
  path: FieldPath,
): FieldError[] {
  if (least === undefined) return [fieldRequired(`${path}.min`, "required when validRange is defined")];
  const min = Quantity.fromJson(least);
  const top = max === undefined ? undefined : Quantity.fromJson(max);
  const errorIf = (isWrong: boolean, field: string, value: Quantity, detail: string): FieldError[] =>
    isWrong ? [fieldInvalid(`${path}.${field}`, value.toString(), detail)] : [];
  return [
    ...errorIf(min.compare(most) > 0, "min", min, `min is larger than capacity value: ${most.toString()}`),
    ...errorIf(usual.compare(min) < 0, "min", usual, `default is less than min: ${min.toString()}`),
    ...(top === undefined
      ? []
      : [
          ...errorIf(min.compare(top) > 0, "max", min, `min is larger than max: ${top.toString()}`),
          ...errorIf(top.compare(most) > 0, "max", top, `max is larger than capacity value: ${most.toString()}`),
          ...errorIf(usual.compare(top) > 0, "max", usual, `default is more than max: ${top.toString()}`),
        ]),
    ...(distance === undefined ? [] : validateStep({ most, usual, min, top, step: Quantity.fromJson(distance) }, `${path}.step`)),
  ];
}

interface Steps {
  readonly most: Quantity;
  readonly usual: Quantity;
  readonly min: Quantity;
  readonly top: Quantity | undefined;
  readonly step: Quantity;
}

function validateStep({ most, usual, min, top, step }: Steps, path: FieldPath): FieldError[] {
  const second = min.add(step);
  const isBetween = (value: Quantity): boolean => step.value() !== 0n && (value.value() - min.value()) % step.value() !== 0n;
  return [
    ...(second.compare(most) > 0
      ? [fieldInvalid(path, step.toString(), `one step ${second.toString()} is larger than capacity value: ${most.toString()}`)]
      : []),
    ...[usual, ...(top === undefined ? [] : [top])].flatMap((value) =>
      isBetween(value)
        ? [fieldInvalid(path, value.toString(), `value is not a multiple of a given step (${step.toString()}) from (${min.toString()})`)]
        : [],
    ),
  ];
}
