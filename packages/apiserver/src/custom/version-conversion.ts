/**
 * Conversion between a served version and the storage version (strategy None): only apiVersion changes. Fields unknown to one of
 * the schemas are lost, and only the defaults of the storage version are set.
 */
import { coerceObjectMeta, dropNulls, prune } from "@drover/machinery";
import type { CompiledSchema, JsonObject } from "@drover/machinery";
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

/** Returns the object reduced to its schema. Assumes that metadata was valid before. */
export function inShape(object: JsonObject, schema: CompiledSchema): JsonObject {
  const kept = dropNulls(prune(object, schema).value, schema);
  const coerced = coerceObjectMeta(kept, schema, { root: "part", malformed: "drop" });
  return ("unknown" in coerced ? coerced.value : kept) as JsonObject;
}
