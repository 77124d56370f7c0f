/** Directives of strategic merge patches, and how they are removed again. */
import { setOwn } from "../json/own.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { MergePatchError } from "./merge-patch-error.ts";

/** `"$patch": "delete" | "replace"` in an object or a list item. */
export const patchMarker = "$patch";
/** `"$retainKeys": [...]`: removes every other key of the object. */
export const retainKeysDirective = "$retainKeys";
/** `"$deleteFromPrimitiveList/<field>": [...]`: values to remove from a merged list of scalars. */
export const deleteFromListPrefix = "$deleteFromPrimitiveList";
/** `"$setElementOrder/<field>": [...]`: the desired order of the items. */
export const elementOrderPrefix = "$setElementOrder";

/** Returns the field of a parallel list: "finalizers" of `$deleteFromPrimitiveList/finalizers`. */
export function directiveField(directive: string, prefix: typeof deleteFromListPrefix | typeof elementOrderPrefix): string {
  if (directive.startsWith(`${prefix}/`)) return directive.slice(prefix.length + 1);
  throw new MergePatchError(
    "malformed",
    `invalid patch format of ${prefix === deleteFromListPrefix ? "primitive list" : "setElementOrder list"}`,
  );
}

/** Returns a value without objects that carry `$patch`; undefined when it carries one itself. Other directives stay. */
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
