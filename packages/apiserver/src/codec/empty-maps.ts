/** Finds maps that a client sent empty; decoded objects do not have them. */
import { fieldChild, fieldIndex, isJsonObject } from "@drover/machinery";
import type { FieldPath, JsonObject, JsonValue } from "@drover/machinery";

/** Returns the paths of all empty objects. */
export function emptyMapsOf(sent: JsonObject): ReadonlySet<FieldPath> {
  const found = new Set<FieldPath>();
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, fieldIndex(path, index));
    if (!isJsonObject(value)) return;
    const members = Object.entries(value);
    if (members.length === 0) found.add(path);
    for (const [name, member] of members) visit(member, path === "" ? name : fieldChild(path, name));
  };
  visit(sent, "");
  return found;
}
