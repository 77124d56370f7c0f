/** Resolves a controller reference in a cache. */
import { objectKey, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";

/**
 * Returns the object by kind, name and uid; undefined for a reference to another kind, or when the object is gone or replaced by a
 * namesake.
 */
export function controllerInCache<T extends DeepReadonly<KubeObject>>(
  cache: { readonly get: (key: ObjectKey) => T | undefined },
  kind: GroupKind,
  namespace: string,
  { apiVersion, kind: owner, name, uid }: DeepReadonly<OwnerReference>,
): T | undefined {
  if (owner !== kind.kind || groupOf(apiVersion) !== kind.group) return undefined;
  const found = cache.get(objectKey(name, namespace));
  return found?.metadata.uid === uid ? found : undefined;
}

/** Undefined for invalid text: a handler must not fail on user input in a pod. */
function groupOf(apiVersion: string): string | undefined {
  try {
    return parseGroupVersion(apiVersion).group;
  } catch {
    return undefined;
  }
}
