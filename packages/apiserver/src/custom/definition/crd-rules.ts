/**
 * Validates CustomResourceDefinitions, with kube-apiserver's errors in its order.
 *
 *     CustomResourceDefinition → checkDefinition → FieldError[]
 *
 * kube-apiserver tolerates errors in updates of definitions that an older release accepted. There are none here, so an update is
 * validated like a creation, plus the immutable fields.
 */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "@drover/api/apiextensions/v1";
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  fieldChild,
  fieldIndex,
  fieldInvalid,
  fieldKey,
  fieldNotSupported,
  fieldRequired,
  isStatusConditionTrue,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { approvalAnnotation, approvalOf } from "./api-approval.ts";
import { caBundleProblem } from "../../webhook/ca-bundle.ts";
import { checkConversion } from "./conversion-rules.ts";
import type { ConversionRules } from "./conversion-rules.ts";
import { internalSpec } from "./internal-spec.ts";
import type { InternalSpec, InternalVersion } from "./internal-spec.ts";
import { checkNames, requireNames } from "./name-rules.ts";
import { printVersions } from "./print-versions.ts";
import { schemaHas } from "./schema-has.ts";
import { checkSelectableFields } from "./selectable-field-rules.ts";
import { checkColumns, checkSchema, checkSubresources, checkVersion } from "./version-rules.ts";

/** Validates a definition; of its metadata only what depends on the spec. */
export function checkDefinition(crd: CustomResourceDefinition, old?: CustomResourceDefinition): FieldError[] {
  const spec = internalSpec(crd.spec);
  return [
    ...nameErrors(crd, old),
    ...checkSpec(spec, { allowsBadBundle: allowsBadBundle(old) }),
    ...(old === undefined ? [] : changeErrors(crd, old)),
    ...checkStatus(crd),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd, old),
    ...(crd.spec.preserveUnknownFields === true
      ? [
          fieldInvalid(
            "spec.preserveUnknownFields",
            true,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
          ),
        ]
      : []),
  ];
}

/** Validates the accepted names in the status. */
export function checkStatus({ status }: CustomResourceDefinition): FieldError[] {
  return status?.acceptedNames === undefined ? [] : checkNames(status.acceptedNames, "status.acceptedNames");
}

function nameErrors(
  { metadata: { name = "" }, spec: { names, group } }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  return old !== undefined || name === `${names.plural}.${group}`
    ? []
    : [fieldInvalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

function allowsBadBundle(old: CustomResourceDefinition | undefined): boolean {
  if (old === undefined || !isStatusConditionTrue(old.status?.conditions, "Established")) return true;
  return caBundleProblem(old.spec.conversion?.webhook?.clientConfig?.caBundle ?? "") !== undefined;
}

function checkSpec(spec: InternalSpec, conversionRules: ConversionRules): FieldError[] {
  const { versions = [], names } = spec;
  const preserves = spec.preserveUnknownFields === true;
  const hasDefaults = [spec, ...versions].some(
    ({ schema }) => schema?.openAPIV3Schema !== undefined && schemaHas(schema.openAPIV3Schema, ({ default: value }) => value !== undefined),
  );
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...missingSchemas(spec, versions),
    ...(hasDefaults && preserves
      ? [fieldInvalid("spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema")]
      : []),
    ...versions.flatMap((version, index) => versionErrors(version, index, spec)),
    ...versionListErrors(spec.versions),
    ...requireNames(names, "spec.names"),
    ...checkNames(names, "spec.names"),
    ...checkSchema(
      spec.schema,
      "spec.validation",
      [spec, ...versions].some(({ subresources }) => subresources?.status !== undefined),
    ),
    ...checkSubresources(spec.subresources, "spec.subresources"),
    ...checkColumns(spec.additionalPrinterColumns, "spec.additionalPrinterColumns"),
    ...selectableFieldErrors(spec),
    ...(spec.conversion !== undefined && spec.conversion.strategy !== "None" && preserves
      ? [fieldInvalid("spec.conversion.strategy", spec.conversion.strategy, "must be None if spec.preserveUnknownFields is true")]
      : []),
    ...checkConversion(spec.conversion, "spec.conversion", conversionRules),
  ];
}

function groupErrors(group: string): FieldError[] {
  if (group === "") return [fieldRequired("spec.group")];
  const problems = checkDns1123Subdomain(group);
  if (problems.length > 0) return [fieldInvalid("spec.group", group, problems.join(","))];
  return group.includes(".") ? [] : [fieldInvalid("spec.group", group, "should be a domain with at least one dot")];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === "") return [fieldRequired("spec.scope")];
  return scope === "Cluster" || scope === "Namespaced" ? [] : [fieldNotSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function missingSchemas({ schema }: InternalSpec, versions: readonly InternalVersion[]): FieldError[] {
  if (schema?.openAPIV3Schema !== undefined) return [];
  return versions.flatMap((version, index) =>
    version.schema?.openAPIV3Schema === undefined ? [fieldRequired(`${fieldIndex("spec.versions", index)}.schema.openAPIV3Schema`)] : [],
  );
}

function versionErrors(version: InternalVersion, index: number, { subresources, versions = [] }: InternalSpec): FieldError[] {
  const path = fieldIndex("spec.versions", index);
  const own = versions.some((each) => each.subresources !== undefined) ? version.subresources : subresources;
  return [...labelErrors(version.name, fieldChild(path, "name")), ...checkVersion(version, path, own?.status !== undefined)];
}

function labelErrors(name: string, path: FieldPath): FieldError[] {
  const problems = checkDns1035Label(name);
  return problems.length === 0 ? [] : [fieldInvalid(path, name, problems.join(","))];
}

function versionListErrors(versions: readonly InternalVersion[] | undefined): FieldError[] {
  const invalid = (detail: string): FieldError => ({
    ...fieldInvalid("spec.versions", undefined, detail),
    valueText: printVersions(versions),
  });
  const names = (versions ?? []).map(({ name }) => name);
  return [
    ...(new Set(names).size === names.length ? [] : [invalid("must contain unique version names")]),
    ...(versions?.filter(({ storage }) => storage).length === 1
      ? []
      : [invalid("must have exactly one version marked as storage version")]),
    // kube-apiserver's internal type also holds the first version's name in spec.version.
    ...(names[0] ? labelErrors(names[0], "spec.version") : []),
  ];
}

function selectableFieldErrors({ selectableFields = [], schema }: InternalSpec): FieldError[] {
  if (selectableFields.length === 0) return [];
  if (schema?.openAPIV3Schema === undefined)
    return [fieldInvalid("spec.selectableFields", "", "may only be set when validations.schema is included")];
  return checkSelectableFields(selectableFields, schema.openAPIV3Schema, "spec.selectableFields");
}

function changeErrors({ spec }: CustomResourceDefinition, { spec: before, status }: CustomResourceDefinition): FieldError[] {
  const same = (field: string, value: string, old: string): FieldError[] =>
    value === old ? [] : [fieldInvalid(field, value, "field is immutable")];
  return [
    ...(isStatusConditionTrue(status?.conditions, "Established")
      ? [...same("spec.scope", spec.scope, before.scope), ...same("spec.names.kind", spec.names.kind, before.names.kind)]
      : []),
    ...same("spec.group", spec.group, before.group),
    ...same("spec.names.plural", spec.names.plural, before.names.plural),
  ];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [fieldInvalid(path, status?.storedVersions ?? null, "must have at least one stored version")];
  const versions: readonly CustomResourceDefinitionVersion[] = spec.versions ?? [];
  const known = new Set(versions.map(({ name }) => name));
  return [
    ...versions.flatMap(({ name, storage }) =>
      storage && !stored.includes(name) ? [fieldInvalid(path, stored, `must have the storage version ${name}`)] : [],
    ),
    ...stored.flatMap((name, index) =>
      known.has(name)
        ? []
        : [
            fieldInvalid(
              fieldIndex(path, index),
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

function approvalErrors({ spec: { group }, metadata }: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  const approval = approvalOf(group, metadata);
  if (approval === undefined || (old !== undefined && approvalOf(group, old.metadata)?.state === approval.state)) return [];
  const path = fieldKey("metadata.annotations", approvalAnnotation);
  if (approval.state === "missing") return [fieldRequired(path, approval.reason)];
  return approval.state === "invalid" ? [fieldInvalid(path, metadata.annotations?.[approvalAnnotation], approval.reason)] : [];
}
