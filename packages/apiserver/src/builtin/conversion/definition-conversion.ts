/**
 * CustomResourceDefinitions between v1, which clients use, and v1beta1, in which kube-apiserver still stores them. v1beta1 has fields that
 * are the same for all versions once, beside the versions.
 */
import { encodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The version in which kube-apiserver stores definitions. */
export const storedDefinitionVersion = "apiextensions.k8s.io/v1beta1";

/** Fields of a version, and their names beside the versions. */
const shared: readonly (readonly [own: string, common: string])[] = [
  ["schema", "validation"],
  ["subresources", "subresources"],
  ["additionalPrinterColumns", "additionalPrinterColumns"],
  ["selectableFields", "selectableFields"],
];

/** Returns a definition of v1 as v1beta1, with fields in the order of the Go struct. */
export function definitionToStored({ metadata = {}, spec, status, ...names }: JsonObject): JsonObject {
  const { group, names: kindNames, scope, versions, conversion, preserveUnknownFields = false, ...rest } = objectIn(spec);
  const all = (Array.isArray(versions) ? versions : []).map((version) => renamed(objectIn(version), "jsonPath", "JSONPath"));
  const common: Record<string, JsonValue> = {};
  for (const [own, beside] of shared) {
    const value = all[0]?.[own];
    const text = encodeJson(value ?? null);
    if (value === undefined || !all.every((version) => encodeJson(version[own] ?? null) === text)) continue;
    common[beside] = value;
    for (const version of all) delete version[own];
  }
  const { validation, subresources, additionalPrinterColumns, selectableFields } = common;
  return {
    ...names,
    apiVersion: storedDefinitionVersion,
    metadata,
    spec: defined({
      group,
      version: all[0]?.["name"],
      names: kindNames,
      scope,
      validation,
      subresources,
      versions: all,
      additionalPrinterColumns,
      selectableFields,
      conversion: isJsonObject(conversion) ? conversionToStored(conversion) : undefined,
      preserveUnknownFields,
      ...rest,
    }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns a definition of v1beta1 as v1, before the defaults of v1. */
export function definitionFromStored({ spec, ...definition }: JsonObject): JsonObject {
  const { version, versions, conversion, preserveUnknownFields = true, ...rest } = objectIn(spec);
  const given = Array.isArray(versions) && versions.length > 0 ? versions : [{ name: version ?? "", served: true, storage: true }];
  const all = given.map((each) => ({ ...objectIn(each) }));
  for (const [own, beside] of shared) {
    const value = rest[beside];
    delete rest[beside];
    if (value !== undefined && value !== null) for (const each of all) each[own] = value;
  }
  return {
    ...definition,
    apiVersion: "apiextensions.k8s.io/v1",
    spec: {
      ...rest,
      versions: all.map((each) => renamed(each, "JSONPath", "jsonPath")),
      conversion: isJsonObject(conversion) ? conversionFromStored(conversion) : { strategy: "None" },
      preserveUnknownFields,
    },
  };
}

function conversionToStored({ strategy, webhook }: JsonObject): JsonObject {
  const { clientConfig, conversionReviewVersions } = objectIn(webhook);
  return defined({ strategy, webhookClientConfig: clientConfig, conversionReviewVersions });
}

function conversionFromStored({ strategy, webhookClientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  const webhook = defined({ clientConfig: webhookClientConfig, conversionReviewVersions });
  return defined({ strategy, webhook: Object.keys(webhook).length === 0 ? undefined : webhook });
}

/** Renames a field of the columns of a version, in its place. */
function renamed(version: JsonObject, from: string, to: string): JsonObject {
  const columns = version["additionalPrinterColumns"];
  if (!Array.isArray(columns)) return { ...version };
  const column = (value: JsonValue): JsonObject =>
    Object.fromEntries(Object.entries(objectIn(value)).map(([name, field]) => [name === from ? to : name, field]));
  return { ...version, additionalPrinterColumns: columns.map(column) };
}

const objectIn = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
