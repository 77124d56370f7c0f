/** A version whose object was changed on its way into the cache: less of it, usually. */
import { deepFreeze } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { labelsOf } from "./parsed-version.ts";

/**
 * Gives the object to store: the same one, or a changed copy (`edit`). It is read for this, which an informer otherwise avoids, so
 * leave it out where the projection can say the same. Who it is (key, uid, version) stays as the server said it, whatever comes back.
 */
export type Transform<T extends KubeObject> = (object: DeepReadonly<T>) => DeepReadonly<T>;

/** The version with the object that `transform` gives, frozen. Throws what it throws, and what reading the object throws. */
export function transformed<T extends KubeObject>(version: ObjectVersion<T>, transform: Transform<T>): ObjectVersion<T> {
  const original = version.object;
  const object = transform(original);
  if (object === original) return version;
  deepFreeze(object);
  const { key, uid, resourceVersion, isTerminating } = version;
  return Object.freeze({
    key,
    uid,
    resourceVersion,
    isTerminating,
    labels: labelsOf(object as DeepReadonly<KubeObject>),
    object,
    isParsed: true,
  });
}
