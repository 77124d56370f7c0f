/** The strategies of StorageClass, VolumeAttributesClass and CSIStorageCapacity, which are mostly immutable. */
import type { TopologySelectorTerm } from "@drover/api/core/v1";
import type { CSIStorageCapacity, StorageClass, VolumeAttributesClass } from "@drover/api/storage/v1";
import {
  byteLength,
  checkLabelValue,
  compareBytes,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  Quantity,
  semanticEqual,
  validateLabelName,
  validateLabelSelector,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, LabelSelectorRules } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import {
  immutableText,
  problemsOf,
  validateChoice,
  validateImmutable,
  validateOptionalChoice,
  validateQualifiedName,
  validateSubdomain,
} from "../checked-field.ts";
import { invalidName } from "../named-text.ts";
import { repeatsIn } from "../repeats.ts";

/** 256 KiB. */
const parametersBytesMax = 256 * 1024;

/** The strategy of StorageClass. */
export const storageClassStrategy: Strategy<StorageClass> = {
  validate: ({ provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies }) => [
    ...validateProvisioner(provisioner, "provisioner"),
    ...validateParameters(parameters),
    ...validateOptionalChoice(reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"]),
    ...validateChoice(volumeBindingMode, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...validateTopologies(allowedTopologies ?? []),
  ],
  validateUpdate: (object, old) => [
    ...validateImmutable(object.parameters, old.parameters, "parameters"),
    ...validateImmutable(object.provisioner, old.provisioner, "provisioner"),
    ...(object.reclaimPolicy === old.reclaimPolicy ? [] : [invalidName("reclaimPolicy", object.reclaimPolicy ?? "", immutableText)]),
    ...(object.volumeBindingMode === old.volumeBindingMode
      ? []
      : [invalidName("volumeBindingMode", object.volumeBindingMode ?? "", immutableText)]),
  ],
};

/** The strategy of VolumeAttributesClass. */
export const volumeAttributesClassStrategy: Strategy<VolumeAttributesClass> = {
  validate: ({ driverName, parameters }) => [
    ...validateProvisioner(driverName, "driverName"),
    ...validateParameters(parameters),
    ...(Object.keys(parameters ?? {}).length === 0 ? [fieldRequired("parameters", "must contain at least one key/value pair")] : []),
  ],
  validateUpdate: (object, old) =>
    (["driverName", "parameters"] as const).flatMap((field) =>
      semanticEqual(object[field], old[field]) ? [] : [fieldForbidden(field, `updates to ${field} are forbidden.`)],
    ),
};

/** The strategy of CSIStorageCapacity. */
export const csiStorageCapacityStrategy: Strategy<CSIStorageCapacity> = {
  validate: (capacity) => validateCapacity(capacity),
  validateUpdate: (object, old) => [
    ...(semanticEqual(object.nodeTopology, old.nodeTopology)
      ? []
      : [fieldInvalid("nodeTopology", object.nodeTopology ?? null, immutableText)]),
    ...(object.storageClassName === old.storageClassName ? [] : [fieldInvalid("storageClassName", object.storageClassName, immutableText)]),
  ],
};

/** A driver name, case-insensitive. */
function validateProvisioner(name: string, path: FieldPath): FieldError[] {
  return name === "" ? [fieldRequired(path)] : validateQualifiedName(name.toLowerCase(), path);
}

function validateParameters(parameters: Readonly<Record<string, string>> | undefined): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > 512) return [fieldTooLong("parameters", 512)];
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...entries.filter(([key]) => key === "").map(([key]) => fieldInvalid("parameters", key, "field can not be empty.")),
    ...(size > parametersBytesMax ? [fieldTooLong("parameters", parametersBytesMax)] : []),
  ];
}

function validateTopologies(terms: readonly DeepReadonly<TopologySelectorTerm>[]): FieldError[] {
  const seen = new Set<string>();
  return terms.flatMap(({ matchLabelExpressions: expressions = [] }, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const repeats = repeatsIn(expressions.map(({ key }) => key));
    const errors = expressions.flatMap(({ key, values }, place) =>
      validateTopology(key, values ?? [], repeats.has(place), `${path}[${place}]`),
    );
    const shape = JSON.stringify(
      expressions
        .map(({ key, values }) => [key, ...(values ?? []).toSorted(compareBytes)])
        .toSorted(([a = ""], [b = ""]) => compareBytes(a, b)),
    );
    if (seen.has(shape)) errors.push(fieldDuplicate(path, ""));
    seen.add(shape);
    return errors;
  });
}

function validateTopology(key: string, values: readonly string[], isAgain: boolean, path: FieldPath): FieldError[] {
  const repeats = repeatsIn(values);
  return [
    ...(values.length === 0 ? [fieldRequired(`${path}.values`)] : []),
    ...values.flatMap((value, index) => [
      ...problemsOf(`${path}.values[${index}]`, value, checkLabelValue(value)),
      ...(repeats.has(index) ? [fieldDuplicate(`${path}.values[${index}]`, value)] : []),
    ]),
    ...validateLabelName(key, `${path}.key`),
    ...(isAgain ? [fieldDuplicate(`${path}.key`, key)] : []),
  ];
}

function validateCapacity(
  { nodeTopology, storageClassName, capacity }: DeepReadonly<CSIStorageCapacity>,
  rules: LabelSelectorRules = {},
): FieldError[] {
  const amount = capacity === undefined ? undefined : Quantity.fromJson(capacity);
  return [
    ...validateLabelSelector(nodeTopology, "nodeTopology", rules),
    ...validateSubdomain(storageClassName, "storageClassName"),
    ...(amount !== undefined && amount.sign() < 0
      ? [fieldInvalid("capacity", amount.toString(), "must be greater than or equal to 0")]
      : []),
  ];
}
