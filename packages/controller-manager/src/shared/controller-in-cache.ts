/** The object that a controller reference means, in a cache. */
import { objectKey, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";

/** The very one, by kind, name and uid; undefined for a reference to another kind, and for one that is gone or has a namesake now. */
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

/** Undefined when it cannot be read: a handler must not fail on what somebody wrote into a pod. */
function groupOf(apiVersion: string): string | undefined {
  try {
    return parseGroupVersion(apiVersion).group;
  } catch {
    return undefined;
  }
}
