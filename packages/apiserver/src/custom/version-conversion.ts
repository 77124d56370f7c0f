/**
 * Conversion between a served version and the storage version (strategy None): only apiVersion changes. Fields unknown to one of
 * the schemas are lost, and only the defaults of the storage version are set.
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { apiVersionOf, coerceObjectMeta, compileSchema, dropNulls, prune } from "@drover/machinery";
import type { CompiledSchema, JsonObject, Schema } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import { defaultsOfRead } from "./bounded-defaults.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";

export interface ConvertedVersion {
  /** "ex.io/v1" */
  readonly apiVersion: string;
  readonly schema: CompiledSchema;
}

/** Returns both directions between a served version and the storage version. */
export function versionConversion(
  served: ConvertedVersion,
  stored: ConvertedVersion,
  onExceeded: OnExceeded = () => undefined,
): NonNullable<Resource["conversion"]> {
  return {
    toStored: (object) => inShape({ ...object, apiVersion: stored.apiVersion }, stored.schema),
    fromStored: (object) =>
      inShape(
        { ...defaultsOfRead(inShape(object, stored.schema), stored.schema, onExceeded), apiVersion: served.apiVersion },
        served.schema,
      ),
  };
}

/**
 * Returns the conversion of objects that are stored in another version than the storage version. They have the fields and defaults of
 * the version they are stored in.
 */
export function olderConversion(
  { spec }: Pick<CustomResourceDefinition, "spec">,
  served: ConvertedVersion,
  onExceeded: OnExceeded = () => undefined,
): NonNullable<Resource["fromOlder"]> {
  const schemaOf = schemasOf(spec);
  const known = new Map<string, (object: JsonObject) => JsonObject>();
  return (apiVersion) => {
    const schema = known.has(apiVersion) ? undefined : schemaOf(apiVersion);
    if (schema !== undefined) known.set(apiVersion, versionConversion(served, { apiVersion, schema }, onExceeded).fromStored);
    return known.get(apiVersion);
  };
}

/** Returns the schema of each version, "ex.io/v1", compiled on first use; undefined for a version that the definition does not have. */
export function schemasOf({ group, versions }: CustomResourceDefinition["spec"]): (apiVersion: string) => CompiledSchema | undefined {
  const compiled = new Map<string, CompiledSchema>();
  return (apiVersion) => {
    const known = compiled.get(apiVersion);
    const version = versions.find(({ name }) => apiVersionOf({ group, version: name }) === apiVersion);
    const schema = version?.schema?.openAPIV3Schema as Schema | undefined;
    if (known !== undefined || schema === undefined) return known;
    const made = compileSchema(schema);
    compiled.set(apiVersion, made);
    return made;
  };
}

/** Returns the object reduced to its schema. Assumes that metadata was valid before. */
export function inShape(object: JsonObject, schema: CompiledSchema): JsonObject {
  const kept = dropNulls(prune(object, schema).value, schema);
  const coerced = coerceObjectMeta(kept, schema, { root: "part", malformed: "drop" });
  return ("unknown" in coerced ? coerced.value : kept) as JsonObject;
}
