/** Mutable access to an object's metadata. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, ObjectMeta } from "@drover/machinery";

/** Returns the metadata, created if absent; changing it changes the object. */
export function metaOf(object: JsonObject): ObjectMeta {
  const metadata = object["metadata"];
  if (isJsonObject(metadata)) return metadata;
  const made: JsonObject = {};
  object["metadata"] = made;
  return made;
}
