/** Converts objects between the versions of a resource. */
import { apiVersionOf } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Resource } from "./resource.ts";

/**
 * Returns an object of one resource as another that shows the same stored objects; the same object if they are one resource. Returns a
 * promise if a webhook converts it, which rejects with a `StatusError`.
 */
export function convertObject(object: JsonObject, from: Resource, to: Resource): JsonObject | Promise<JsonObject> {
  if (from === to) return object;
  const apiVersion = apiVersionOf(to.kind);
  if (from.webhookConversion !== undefined)
    return from.webhookConversion.convert([object], apiVersion).then(([converted]) => converted ?? object);
  const stored = from.conversion === undefined ? object : from.conversion.toStored(object);
  const named: JsonObject = { ...stored, kind: to.kind.kind, apiVersion };
  return to.conversion === undefined ? named : to.conversion.fromStored(named);
}
