/** Restores the fields that an update at this endpoint cannot change. */
import type { JsonObject, ObjectMeta } from "@drover/machinery";
import { nextGeneration } from "../registry/generation.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Resource } from "../registry/resource.ts";
import type { StrategyContext, UpdateStrategy } from "../registry/strategy.ts";
import { jsonOf } from "../typed-object.ts";
import { asKubeObject } from "./validation.ts";

/** Restores what this endpoint does not change, then runs the kind's strategy. Changes `object` in place. */
export function prepareUpdate(
  resource: Resource,
  strategy: UpdateStrategy,
  subresource: string,
  object: JsonObject,
  old: JsonObject,
  context: StrategyContext,
): void {
  const hasStatus = Object.hasOwn(resource.kind.subresources, "status");
  if (subresource === "" && hasStatus) copyMember("status", object, old);
  if (subresource === "status") keepAllButStatus(resource, object, old);
  keepSystemMetadata(metaOf(object), metaOf(old));
  strategy.prepareForUpdate?.(asKubeObject(object), asKubeObject(old), context);
  nextGeneration(subresource === "status" || subresource === "binding" ? "none" : resource.rules.generation, object, old);
}

function copyMember(name: string, object: JsonObject, old: JsonObject): void {
  const value = old[name];
  if (value === undefined) delete object[name];
  else object[name] = value;
}

function keepAllButStatus({ rules, isCustom }: Resource, object: JsonObject, old: JsonObject): void {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of ["kind", "apiVersion", "metadata", "status"]) names.delete(name);
  for (const name of names) copyMember(name, object, old);
  const meta = metaOf(object);
  const oldMeta = metaOf(old);
  if (isCustom || rules.statusMetadata === "none") {
    const { managedFields, resourceVersion } = meta;
    object["metadata"] = jsonOf({
      ...oldMeta,
      ...(managedFields === undefined ? {} : { managedFields }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
    if (managedFields === undefined) delete metaOf(object).managedFields;
    if (resourceVersion === undefined) delete metaOf(object).resourceVersion;
  } else if (rules.statusMetadata === "annotations") {
    copyMember("labels", jsonOf(meta), jsonOf(oldMeta));
  }
}

/** Restores the metadata that only the server sets. */
function keepSystemMetadata(meta: ObjectMeta, old: ObjectMeta): void {
  delete meta.selfLink;
  if (!meta.uid && old.uid !== undefined) meta.uid = old.uid;
  if (old.creationTimestamp !== undefined) meta.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp !== undefined) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined)
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
}
