/** A version whose object was transformed before it was stored, usually to make it smaller. */
import { deepFreeze, definedOnly } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { labelsOf } from "./parsed-version.ts";

/**
 * Returns the object to store: the same one, or a changed copy (`edit`). A transform parses every object, which an informer otherwise
 * avoids, so prefer a projection if it suffices. Key, uid and resource version stay those of the server, whatever it returns.
 */
export type Transform<T extends KubeObject> = (object: DeepReadonly<T>) => DeepReadonly<T>;

/** Returns the version with the transformed object, frozen. Throws errors of `transform` and of parsing. */
export function transformed<T extends KubeObject>(version: ObjectVersion<T>, transform: Transform<T>): ObjectVersion<T> {
  const original = version.object;
  const object = transform(original);
  if (object === original) return version;
  deepFreeze(object);
  const { key, uid, resourceVersion, isTerminating, bytes } = version;
  return Object.freeze({
    key,
    uid,
    resourceVersion,
    isTerminating,
    labels: labelsOf(object as DeepReadonly<KubeObject>),
    object,
    ...definedOnly({ bytes }),
    isParsed: true,
  });
}
