/** The words a strategic merge patch uses for what plain JSON cannot say, and how they are taken out again. */
import { setOwn } from "../json/own.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { MergePatchError } from "./merge-patch-error.ts";

/** `"$patch": "delete" | "replace"` in an object or in an item of a list. */
export const patchMarker = "$patch";
/** `"$retainKeys": [...]`: every other key of the object goes. */
export const retainKeysDirective = "$retainKeys";
/** `"$deleteFromPrimitiveList/<field>": [...]`: values to take out of a merged list of scalars. */
export const deleteFromListPrefix = "$deleteFromPrimitiveList";
/** `"$setElementOrder/<field>": [...]`: the order in which the items shall stand. */
export const elementOrderPrefix = "$setElementOrder";

/** The field a parallel list belongs to: "finalizers" of `$deleteFromPrimitiveList/finalizers`. */
export function directiveField(directive: string, prefix: typeof deleteFromListPrefix | typeof elementOrderPrefix): string {
  if (directive.startsWith(`${prefix}/`)) return directive.slice(prefix.length + 1);
  throw new MergePatchError(
    "malformed",
    `invalid patch format of ${prefix === deleteFromListPrefix ? "primitive list" : "setElementOrder list"}`,
  );
}

/** A value without every object that carries a `$patch`, itself included: undefined then. Other directives stay. */
export function withoutMarked(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutMarked).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchMarker)) return undefined;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutMarked(member);
    if (kept !== undefined) setOwn(result, key, kept);
  }
  return result;
}
