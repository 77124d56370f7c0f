/** The strategy of PriorityClass, whose value is immutable. */
import type { PriorityClass } from "@drover/api/scheduling/v1";
import { fieldForbidden } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText, validateOptionalChoice } from "../checked-field.ts";
import { invalidName } from "../named-text.ts";

/** Higher values are reserved for the system. */
const userMax = 1_000_000_000;
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2 * userMax + 1000],
  ["system-cluster-critical", 2 * userMax],
]);

/** The strategy of PriorityClass. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  validate: validatePriorityClass,
  validateUpdate: (object, old) => [
    ...((object.value ?? 0) === (old.value ?? 0) ? [] : [fieldForbidden("value", "may not be changed in an update.")]),
    ...(object.preemptionPolicy === old.preemptionPolicy
      ? []
      : [invalidName("preemptionPolicy", object.preemptionPolicy ?? "", immutableText)]),
  ],
};

function validatePriorityClass({
  metadata,
  value = 0,
  globalDefault = false,
  preemptionPolicy,
}: DeepReadonly<PriorityClass>): FieldError[] {
  const name = metadata.name ?? "";
  const errors: FieldError[] = [];
  if (name.startsWith("system-")) {
    const problem = findSystemProblem(name, value, globalDefault);
    if (problem !== undefined)
      errors.push(
        fieldForbidden("metadata.name", `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`),
      );
  } else if (value > userMax) errors.push(fieldForbidden("value", `maximum allowed value of a user defined priority is ${userMax}`));
  return [...errors, ...validateOptionalChoice(preemptionPolicy, "preemptionPolicy", ["PreemptLowerPriority", "Never"])];
}

function findSystemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = systemClasses.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (expected !== value) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
