/** The metadata of an object that belongs to the request. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, ObjectMeta } from "@drover/machinery";

/** Made where there is none yet; changing it changes the object. */
export function metaOf(object: JsonObject): ObjectMeta {
  const metadata = object["metadata"];
  if (isJsonObject(metadata)) return metadata;
  const made: JsonObject = {};
  object["metadata"] = made;
  return made;
}
