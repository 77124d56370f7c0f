/**
 * Between a version that is served and the one in which objects are stored. Nothing is converted but the name of the
 * version; what one schema does
 * not know is lost on the way, and only the stored version's defaults are filled in.
 */
import { applyDefaults, coerceObjectMeta, dropNulls, prune } from "@drover/machinery";
import type { CompiledSchema, JsonObject } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";

export interface ConvertedVersion {
  /** "ex.io/v1" */
  readonly apiVersion: string;
  readonly schema: CompiledSchema;
}

/** Both ways between a served version and the stored one. */
export function versionConversion(served: ConvertedVersion, stored: ConvertedVersion): NonNullable<Resource["conversion"]> {
  return {
    toStored: (object) => inShape({ ...object, apiVersion: stored.apiVersion }, stored.schema),
    fromStored: (object) =>
      inShape(
        { ...(applyDefaults(inShape(object, stored.schema), stored.schema) as JsonObject), apiVersion: served.apiVersion },
        served.schema,
      ),
  };
}

/** The object as far as the schema knows it. Its metadata, and that of resources in it, was in order before. */
function inShape(object: JsonObject, schema: CompiledSchema): JsonObject {
  const kept = dropNulls(prune(object, schema).value, schema);
  const coerced = coerceObjectMeta(kept, schema, { root: "part", malformed: "drop" });
  return ("unknown" in coerced ? coerced.value : kept) as JsonObject;
}
