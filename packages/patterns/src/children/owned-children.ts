/**
 * Finds the children of an owner in a cache by index.
 *
 *     addOwnerIndex(pods) once → ownedChildren(pods, replicaSet, { orphans: true }) in each run → claimChildren
 */
import type { Indexers, InformerReader, InformerView } from "@drover/cache";
import { controllerOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Name of the index: objects with a controller by its uid, orphans by "/" and their namespace. */
export const ownerIndex = "drover/controller";

/** The index function, for informers that take their indexers at creation. */
export const ownerIndexers: Indexers<{ readonly object: DeepReadonly<KubeObject> }> = {
  [ownerIndex]: ({ object }) => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)],
};

/** Adds the index to a shared informer if it is missing. Works at any time: existing objects are indexed at once. */
export function addOwnerIndex<Child extends KubeObject>(informer: Pick<InformerView<Child>, "addIndexers" | "indexNames">): void {
  if (!informer.indexNames.includes(ownerIndex)) informer.addIndexers(ownerIndexers);
}

/** Which children to list. */
export interface OwnedChildrenOptions {
  /** Whether to include objects without a controller, which the owner may adopt. @default false */
  readonly orphans?: boolean;
}

/**
 * Returns the objects that the owner controls (by uid), in no particular order: for a namespaced owner in its
 * namespace, for a cluster-scoped owner anywhere. Throws if the index was not added.
 */
export function ownedChildren<Child extends KubeObject>(
  reader: Pick<InformerReader<Child>, "byIndex" | "listIndexValues">,
  owner: DeepReadonly<KubeObject>,
  { orphans = false }: OwnedChildrenOptions = {},
): readonly DeepReadonly<Child>[] {
  const { uid = "", namespace = "", name = "" } = owner.metadata;
  if (uid === "")
    throw new Error(
      `children of ${name}: the owner has no metadata.uid, by which children refer to it; read it from the server or a cache`,
    );
  const owned = reader.byIndex(ownerIndex, uid).filter(({ metadata }) => namespace === "" || metadata.namespace === namespace);
  if (!orphans) return owned;
  const places = namespace === "" ? reader.listIndexValues(ownerIndex).filter((value) => value.startsWith("/")) : [orphansOf(namespace)];
  return [...owned, ...places.flatMap((place) => reader.byIndex(ownerIndex, place))];
}

/** Never equals a uid: uids come from the server and do not start with a slash. */
const orphansOf = (namespace = ""): string => `/${namespace}`;
