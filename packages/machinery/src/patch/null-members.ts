/** Nulls in a merge patch mean deletion; where there is nothing to delete they are dropped. */
import { setOwn } from "../json/own.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** Returns a value without null members at any depth; nulls that are list items stay. */
export function withoutNullMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (member !== null) setOwn(result, key, withoutNullMembers(member));
  return result;
}
