/**
 * Builds the resources of a CustomResourceDefinition, one per version.
 *
 *     CustomResourceDefinition → customResources → Resource[] → Registry
 */
import type { CustomResourceDefinition, CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from "@drover/api/apiextensions/v1";
import { schemaFor } from "@drover/api/schemas";
import { assert, checkSubdomainName, compareKubeVersions, compileSchema, customMergeType, semanticEqual } from "@drover/machinery";
import type { CompiledSchema, JsonObject, Kind, KubeObject, Schema, Subresource, Verb } from "@drover/machinery";
import type { Resource, ScalePaths, SelectableFields } from "../registry/resource.ts";
import { customCodec } from "./custom-codec.ts";
import { customStrategy } from "./custom-strategy.ts";
import { customTable, printPlain } from "./custom-table.ts";
import { firstValueAt } from "./jsonpath/first-value.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";
import { keysOfPath } from "./scale-rules.ts";
import { olderConversion, versionConversion } from "./version-conversion.ts";
import { webhookConversion } from "./webhook-conversion.ts";
import type { ConversionCaller } from "./webhook-conversion.ts";

export interface CustomResourceOptions {
  /** Called when a value is left out because of a budget. @default no callback */
  readonly onExceeded?: OnExceeded | undefined;
  /** Calls conversion webhooks. @default objects are converted as without a webhook */
  readonly conversions?: ConversionCaller | undefined;
}

/** Returns the resources of the served versions. Assumes a valid definition with accepted names. */
export function customResources(crd: CustomResourceDefinition, options: CustomResourceOptions = {}): Resource[] {
  return crd.spec.versions.filter(({ served }) => served).map((version) => customResource(crd, version, options));
}

/** Returns the resource of one version, served or not. */
export function customResource(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { onExceeded, conversions }: CustomResourceOptions = {},
): Resource {
  const { spec } = crd;
  const schema = version.schema?.openAPIV3Schema as Schema | undefined;
  assert(schema !== undefined, `${crd.metadata.name} has no schema for ${version.name}`);
  const kind = kindOf(crd, version);
  const compiled = compileSchema(schema);
  const byWebhook = conversions === undefined ? undefined : webhookConversion(crd, version.name, conversions, onExceeded);
  const conversion = byWebhook === undefined ? conversionOf(crd, version, compiled, onExceeded) : undefined;
  const { scale, status } = version.subresources ?? {};
  const deprecation = deprecationOf(spec, version);
  return {
    kind,
    isCustom: true,
    openApiSchema: schema,
    storagePrefix: `/registry/${spec.group}/${kind.plural}/`,
    storageVersion: storageVersionOf(crd).name,
    codec: customCodec(kind, compiled, { conversion, onExceeded }),
    strategy: customStrategy(kind, compiled, { scale }),
    rules: {
      checkName: checkSubdomainName,
      generation: status === undefined ? "all" : "all-but-status",
      unconditionalUpdate: false,
      createOnUpdate: false,
      returnsDeleted: false,
      orphansByDefault: false,
      statusMetadata: "none",
      unknownFieldSelector: "label-not-supported",
    },
    selectableFields: selectableFieldsOf(version, onExceeded),
    table: customTable(version.additionalPrinterColumns, onExceeded),
    mergeType: customMergeType(schema, objectMetaSchema()),
    emptyObject: { apiVersion: `${spec.group}/${version.name}`, kind: kind.kind },
    ...(conversion === undefined ? {} : { conversion }),
    ...(byWebhook === undefined
      ? { fromOlder: olderConversion(crd, { apiVersion: `${spec.group}/${version.name}`, schema: compiled }, onExceeded) }
      : { webhookConversion: byWebhook }),
    ...(scale === undefined ? {} : { scale: scalePaths(scale) }),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

/** Returns the storage version. */
export function storageVersionOf({ metadata, spec }: CustomResourceDefinition): CustomResourceDefinitionVersion {
  const version = spec.versions.find(({ storage }) => storage);
  assert(version !== undefined, `${metadata.name} has no storage version`);
  return version;
}

/** Undefined when this version has the schema of the storage version. */
function conversionOf(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  schema: CompiledSchema,
  onExceeded: OnExceeded | undefined,
): Resource["conversion"] {
  const stored = storageVersionOf(crd);
  const storedSchema = stored.schema?.openAPIV3Schema as Schema | undefined;
  if (storedSchema === undefined || semanticEqual(stored.schema, version.schema)) return undefined;
  const apiVersion = (name: string): string => `${crd.spec.group}/${name}`;
  return versionConversion(
    { apiVersion: apiVersion(version.name), schema },
    { apiVersion: apiVersion(stored.name), schema: compileSchema(storedSchema) },
    onExceeded,
  );
}

const verbs: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const subresourceVerbs: readonly Verb[] = ["get", "patch", "update"];

function kindOf({ spec, status }: CustomResourceDefinition, { name, subresources }: CustomResourceDefinitionVersion): Kind<KubeObject> {
  const accepted = status?.acceptedNames;
  const {
    plural,
    singular = "",
    kind,
    listKind = "",
    shortNames = [],
    categories = [],
  } = accepted === undefined || accepted.plural === "" ? spec.names : accepted;
  const type = { group: spec.group, version: name, kind };
  const served: Record<string, Subresource> = {
    ...(subresources?.status === undefined ? {} : { status: { ...type, verbs: subresourceVerbs } }),
    ...(subresources?.scale === undefined
      ? {}
      : { scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: subresourceVerbs } }),
  };
  return {
    ...type,
    plural,
    singular,
    listKind,
    shortNames,
    categories,
    scope: spec.scope === "Namespaced" ? "Namespaced" : "Cluster",
    verbs,
    subresources: served,
  };
}

/** An absent field is "" to selectors. */
function selectableFieldsOf({ selectableFields = [] }: CustomResourceDefinitionVersion, onExceeded?: OnExceeded): SelectableFields {
  return new Map(
    selectableFields.map(({ jsonPath }) => {
      const valueOf = firstValueAt(jsonPath, onExceeded);
      const read = (object: JsonObject): string => {
        const value = valueOf?.(object);
        return value === undefined || value === null ? "" : printPlain(value);
      };
      return [jsonPath.replace(/^\./, ""), read];
    }),
  );
}

function scalePaths({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath = "",
}: NonNullable<NonNullable<CustomResourceDefinitionVersion["subresources"]>["scale"]>): ScalePaths {
  return {
    specReplicas: keysOfPath(specReplicasPath),
    statusReplicas: keysOfPath(statusReplicasPath),
    ...(labelSelectorPath === "" ? {} : { selector: keysOfPath(labelSelectorPath) }),
  };
}

/** Returns the deprecation warning; the default text names the best version that is not deprecated. */
function deprecationOf(
  { group, names, versions }: CustomResourceDefinitionSpec,
  { name, deprecated = false, deprecationWarning }: CustomResourceDefinitionVersion,
): string | undefined {
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const better = versions
    .filter((other) => other.served && other.deprecated !== true && compareKubeVersions(other.name, name) < 0)
    .map((other) => other.name);
  const [best] = better.toSorted(compareKubeVersions);
  return `${group}/${name} ${names.kind} is deprecated${best === undefined ? "" : `; use ${group}/${best} ${names.kind}`}`;
}

/** The metadata schema, the same for every kind. */
function objectMetaSchema(): Schema {
  return schemaFor({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.["metadata"] ?? {};
}
