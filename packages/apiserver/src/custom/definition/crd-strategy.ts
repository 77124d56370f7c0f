/** The strategy of CustomResourceDefinition. */
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from "@drover/api/apiextensions/v1";
import { quoteGo, formatCheck } from "@drover/machinery";
import type { UncheckedSchema } from "@drover/machinery";
import type { Strategy } from "../../registry/strategy.ts";
import { beginCrdDeletion } from "../crd-deletion.ts";
import { checkDefinition, checkStatus } from "./crd-rules.ts";
import { internalSpec } from "./internal-spec.ts";
import { schemasIn } from "./schema-has.ts";

/** Records the storage version in the status; `CustomResources` handles names and conditions. */
export const crdStrategy: Strategy<CustomResourceDefinition> = {
  prepareForCreate: noteStoredVersion,
  prepareForUpdate: noteStoredVersion,
  validate: (crd) => checkDefinition(crd),
  validateUpdate: (crd, old) => checkDefinition(crd, old),
  warningsOnCreate: ({ spec }) => unknownFormats(spec).map(formatWarning),
  warningsOnUpdate: ({ spec }, { spec: old }) => {
    const known = new Set(unknownFormats(old));
    return unknownFormats(spec)
      .filter((format) => !known.has(format))
      .map(formatWarning);
  },
  markForDeletion: (crd, { now }) => beginCrdDeletion(crd, now),
  subresources: { status: { validateUpdate: (crd) => checkStatus(crd) } },
};

function noteStoredVersion(crd: CustomResourceDefinition): void {
  const name = (crd.spec.versions ?? []).find(({ storage }) => storage)?.name;
  const stored = crd.status?.storedVersions ?? [];
  if (name !== undefined && !stored.includes(name)) crd.status = { ...crd.status, storedVersions: [...stored, name] };
}

const formatWarning = (format: string): string => `unrecognized format ${quoteGo(format)}`;

/** Returns the formats in the schemas that are unknown for their type, with repetitions. */
function unknownFormats(spec: CustomResourceDefinitionSpec): string[] {
  const { schema, versions = [] } = internalSpec(spec);
  return [schema, ...versions.map((version) => version.schema)].flatMap((validation) =>
    validation?.openAPIV3Schema === undefined ? [] : formatsIn(validation.openAPIV3Schema),
  );
}

function formatsIn(schema: UncheckedSchema): string[] {
  const { format = "", type = "" } = schema;
  return [...(format === "" || isKnown(format, type) ? [] : [format]), ...schemasIn(schema).flatMap(formatsIn)];
}

function isKnown(format: string, type: string): boolean {
  switch (type) {
    case "":
    case "string":
      return formatCheck(format) !== undefined;
    case "integer":
      return format === "int32" || format === "int64";
    case "number":
      return format === "float" || format === "double";
    default:
      return false;
  }
}
