/** The strategy of PersistentVolumeClaim: immutable except for the size and the attributes class of a bound claim. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@drover/api/core/v1";
import {
  checkQualifiedName,
  deepCopy,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldNotSupported,
  fieldRequired,
  getOwn,
  Quantity,
  setOwn,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText } from "../checked-field.ts";
import { diffInternal, internalEqual } from "../internal/internal-value.ts";
import { invalidName, unsupportedName } from "../named-text.ts";
import { validateResourceAmount } from "../pod/resource-names.ts";
import { validateVolumeClaimSpec } from "../pod/volume-claim-template.ts";

type Claim = DeepReadonly<PersistentVolumeClaim>;

const classAnnotation = "volume.beta.kubernetes.io/storage-class";
const resizeStates: readonly string[] = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** The strategy of PersistentVolumeClaim. */
export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = {
  prepareForCreate: (claim) => {
    claim.status = { phase: "Pending" };
    alignSources((claim.spec ??= {}));
  },
  validate: validateClaim,
  warningsOnCreate: claimWarnings,
  prepareForUpdate: (claim, old) => alignSources((claim.spec ??= {}), old.spec),
  validateUpdate: (claim, old) => [...validateClaim(claim), ...validateClaimUpdate(claim, old)],
  warningsOnUpdate: claimWarnings,
  subresources: { status: { validateUpdate: validateStatus } },
};

/** Synchronizes dataSource and dataSourceRef; dataSource supports only claims and snapshots. */
function alignSources(spec: PersistentVolumeClaimSpec, old?: DeepReadonly<PersistentVolumeClaimSpec>): void {
  const { dataSource, dataSourceRef } = spec;
  const isKnown =
    dataSource?.kind === "PersistentVolumeClaim"
      ? (dataSource.apiGroup ?? "") === ""
      : dataSource?.kind === "VolumeSnapshot" && dataSource.apiGroup === "snapshot.storage.k8s.io";
  if (dataSource !== undefined && dataSourceRef === undefined) {
    const wasUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
    if (isKnown || wasUsed) spec.dataSourceRef = { ...dataSource };
    else delete spec.dataSource;
  } else if (dataSource === undefined && dataSourceRef !== undefined && (dataSourceRef.namespace ?? "") === "") {
    const { kind, name, apiGroup } = dataSourceRef;
    spec.dataSource = { kind, name, ...(apiGroup === undefined ? {} : { apiGroup }) };
  }
}

function validateClaim({ spec }: PersistentVolumeClaim): FieldError[] {
  return validateVolumeClaimSpec(spec ?? {}, "spec");
}

function validateClaimUpdate(claim: Claim, old: Claim): FieldError[] {
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  const [annotation, oldAnnotation] = [claim, old].map(({ metadata }) => getOwn(metadata.annotations ?? {}, classAnnotation));
  const isFromAnnotation =
    oldAnnotation !== undefined &&
    before.storageClassName === undefined &&
    spec.storageClassName === oldAnnotation &&
    (annotation ?? oldAnnotation) === oldAnnotation;
  const isFromNothing =
    spec.storageClassName !== undefined &&
    before.storageClassName === undefined &&
    (oldAnnotation === undefined || spec.storageClassName === oldAnnotation);
  const errors: FieldError[] = [];
  if (!isFromAnnotation && (annotation ?? "") !== (oldAnnotation ?? "")) {
    errors.push(fieldInvalid(`metadata.annotations.${classAnnotation}`, annotation ?? "", immutableText));
  }
  const [now, then] = comparable(claim, old, isFromAnnotation || isFromNothing);
  const type = "PersistentVolumeClaimSpec";
  if (!internalEqual(type, now, then)) {
    errors.push(
      fieldForbidden(
        "spec",
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diffInternal(type, then, now)}`,
      ),
    );
  }
  const [size, oldSize, actual] = [
    storageOf(spec.resources?.requests),
    storageOf(before.resources?.requests),
    storageOf(old.status?.capacity),
  ];
  if (size.compare(oldSize) < 0 && size.compare(actual) <= 0)
    errors.push(fieldForbidden("spec.resources.requests.storage", "field can not be less than status.capacity"));
  if (spec.volumeMode !== before.volumeMode) errors.push(invalidName("volumeMode", spec.volumeMode ?? "", immutableText));
  const { volumeAttributesClassName: className } = spec;
  if (
    className !== before.volumeAttributesClassName &&
    old.status?.currentVolumeAttributesClassName !== undefined &&
    (className ?? "") === ""
  ) {
    const what = className === undefined ? "nil" : "empty string";
    errors.push(
      fieldForbidden(
        "spec.volumeAttributesClassName",
        `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`,
      ),
    );
  }
  return errors;
}

/** Returns both specs without the allowed differences. */
function comparable(claim: Claim, old: Claim, ignoresClass: boolean): [PersistentVolumeClaimSpec, PersistentVolumeClaimSpec] {
  const [now, then] = [deepCopy(claim.spec ?? {}), deepCopy(old.spec ?? {})];
  if ((then.volumeName ?? "") === "" && now.volumeName !== undefined) then.volumeName = now.volumeName;
  if (ignoresClass) {
    delete now.storageClassName;
    delete then.storageClassName;
  }
  if (claim.status?.phase !== "Bound") return [now, then];
  const size = getOwn(then.resources?.requests ?? {}, "storage");
  if (now.resources?.requests !== undefined && size !== undefined) setOwn(now.resources.requests, "storage", size);
  delete now.volumeAttributesClassName;
  delete then.volumeAttributesClassName;
  return [now, then];
}

function storageOf(amounts: Readonly<Record<string, QuantityValue>> | undefined): Quantity {
  return Quantity.fromJson(getOwn(amounts ?? {}, "storage") ?? 0);
}

function validateStatus({ spec, status }: Claim): FieldError[] {
  const statesPath = "status.allocatedResourceStatuses";
  return [
    ...((spec?.accessModes ?? []).length === 0 ? [fieldRequired("Spec.accessModes")] : []),
    ...Object.entries(status?.capacity ?? {}).flatMap(([name, value]) => validateBasicAmount(value, fieldKey("status.capacity", name))),
    ...Object.entries(status?.allocatedResourceStatuses ?? {}).flatMap(([name, state]) => [
      ...validateName(name, statesPath),
      ...(resizeStates.includes(state) ? [] : [unsupportedName(statesPath, name, resizeStates)]),
    ]),
    ...Object.entries(status?.allocatedResources ?? {}).flatMap(([name, value]) => {
      const errors = validateName(name, "status.allocatedResources");
      const path = fieldKey("status.allocatedResources", name);
      if (errors.length > 0) return errors;
      const wrong = validateBasicAmount(value, path);
      return wrong.length > 0 ? wrong : validateResourceAmount("storage", Quantity.fromJson(value), path);
    }),
  ];
}

function validateBasicAmount(value: QuantityValue, path: FieldPath): FieldError[] {
  const amount = Quantity.fromJson(value).value();
  return amount < 0n ? [fieldInvalid(path, amount, "must be a valid resource quantity")] : [];
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(name).map((problem) => fieldInvalid(path, name, problem));
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return problems.length === 0 && isNative && name !== "storage" ? [fieldNotSupported(path, name, ["storage"])] : problems;
}

function claimWarnings({ metadata, spec }: Claim): string[] {
  const warnings = Object.hasOwn(metadata.annotations ?? {}, classAnnotation)
    ? [`${fieldKey("metadata.annotations", classAnnotation)}: deprecated since v1.8; use "storageClassName" attribute instead`]
    : [];
  for (const list of ["requests", "limits"] as const) {
    const amount = storageOf(spec?.resources?.[list]);
    if (amount.milliValue() % 1000n !== 0n)
      warnings.push(`spec.resources.${list}[storage]: fractional byte value "${amount.toString()}" is invalid, must be an integer`);
  }
  return warnings;
}
