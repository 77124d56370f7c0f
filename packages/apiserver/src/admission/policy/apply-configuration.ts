/**
 * Merges an apply configuration that an expression constructs into an object.
 *
 *     Object{spec: Object.spec{replicas: 3}}, object → applyConfiguration → object
 */
import { fieldElement, isJsonObject, mergeTyped, printPath, validateTyped } from "@drover/machinery";
import type { JsonObject, JsonValue, MergeType, PathElement } from "@drover/machinery";
import { toJson } from "../../cel/value/json-value.ts";
import type { CelValue } from "../../cel/value/value.ts";
import { checkTypeNames } from "./constructed-object.ts";
import { PatchFailure } from "./patch-failure.ts";

/** Returns the merged object. Throws a `PatchFailure`. */
export function applyConfiguration(object: JsonObject, configuration: CelValue, type: MergeType): JsonObject {
  checkTypeNames(configuration);
  const outcome = toJson(configuration);
  if ("problem" in outcome) throw new PatchFailure(outcome.problem);
  if (!isJsonObject(outcome.json)) throw new PatchFailure("unsupported return type from ApplyConfiguration expression");
  const { apiVersion = "", kind = "" } = object;
  const patch: JsonObject = { ...outcome.json, apiVersion, kind };
  const problem = validateTyped(patch, type);
  if (problem !== undefined) throw new PatchFailure(`error applying patch: failed to convert patch object to typed object: ${problem}`);
  const atomics = findAtomics(patch, type, []);
  if (atomics.length > 0)
    throw new PatchFailure(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`,
    );
  const merged = mergeTyped(object, patch, type);
  return isJsonObject(merged) ? merged : {};
}

/** Returns the paths of atomic parts: merging replaces them as a whole, which would remove what the configuration does not mention. */
function findAtomics(value: JsonValue, { map, list }: MergeType, path: readonly PathElement[]): readonly string[] {
  if (isJsonObject(value) && map !== undefined) {
    const below = Object.entries(value).flatMap(([name, member]) => {
      const field = map.field(name);
      return field === undefined ? [] : findAtomics(member, field.type, [...path, fieldElement(name)]);
    });
    return map.atomic ? [printPath(path), ...below] : below;
  }
  if (!Array.isArray(value) || list === undefined) return [];
  const below = value.flatMap((item, index) => findAtomics(item, list.items(), [...path, `i:${index}`]));
  return list.atomic ? [printPath(path), ...below] : below;
}
