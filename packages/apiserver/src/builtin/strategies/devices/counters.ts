/** Validates shared counters of a ResourceSlice, and what a device takes from them. */
import type { CounterSet, DeviceCounterConsumption } from "@drover/api/resource/v1";
import { errorsOfEach, fieldRequired, fieldTooMany } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { validateLabelText } from "../checked-field.ts";
import { duplicatesOf } from "../repeats.ts";

const setsMax = 8;
const countersMax = 32;
const consumptionsMax = 2;

/** The sets of a slice. */
export function validateCounterSets(sets: DeepReadonly<CounterSet[]>, path: FieldPath): FieldError[] {
  if (sets.length > setsMax) return [fieldTooMany(path, sets.length, setsMax)];
  return [
    ...errorsOfEach(sets, ({ name, counters }, index) => [
      ...validateName(name, `${path}[${index}].name`),
      ...validateCounters(counters, `${path}[${index}].counters`),
    ]),
    ...duplicatesOf(
      sets.map(({ name }) => name),
      path,
    ),
  ];
}

/** What one device takes from the sets. */
export function validateConsumptions(consumptions: DeepReadonly<DeviceCounterConsumption[]>, path: FieldPath): FieldError[] {
  if (consumptions.length > consumptionsMax) return [fieldTooMany(path, consumptions.length, consumptionsMax)];
  return [
    ...errorsOfEach(consumptions, ({ counterSet, counters }, index) => [
      ...validateName(counterSet, `${path}[${index}].counterSet`),
      ...validateCounters(counters, `${path}[${index}].counters`),
    ]),
    ...duplicatesOf(
      consumptions.map(({ counterSet }) => counterSet),
      path,
    ),
  ];
}

const validateName = (name: string, path: FieldPath): FieldError[] => (name === "" ? [fieldRequired(path)] : validateLabelText(name, path));

function validateCounters(counters: DeepReadonly<CounterSet["counters"]> | null | undefined, path: FieldPath): FieldError[] {
  const names = Object.keys(counters ?? {});
  if (names.length === 0) return [fieldRequired(path)];
  return names.length > countersMax
    ? [fieldTooMany(path, names.length, countersMax)]
    : errorsOfEach(names, (name) => validateLabelText(name, path));
}
