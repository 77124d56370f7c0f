/**
 * The children of an owner, found in a cache without looking at everybody's.
 *
 *     addOwnerIndex(pods) once → ownedChildren(pods, replicaSet, { orphans: true }) in each run → claimChildren
 */
import type { Indexers, InformerReader, InformerView } from "@drover/cache";
import { controllerOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** The index: objects with a controller under its uid, those without one under a slash and their namespace. */
export const ownerIndex = "drover/controller";

/** The function of the index, for those who hand indexers to an informer when it is made. */
export const ownerIndexers: Indexers<{ readonly object: DeepReadonly<KubeObject> }> = {
  [ownerIndex]: ({ object }) => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)],
};

/** Adds the index to a shared informer, unless somebody has. At any time: what is there already is indexed at once. */
export function addOwnerIndex<Child extends KubeObject>(informer: Pick<InformerView<Child>, "addIndexers" | "indexNames">): void {
  if (!informer.indexNames.includes(ownerIndex)) informer.addIndexers(ownerIndexers);
}

/** Which children are listed. */
export interface OwnedChildrenOptions {
  /** Whether objects that nobody controls are listed as well: the owner may adopt them. @default false */
  readonly orphans?: boolean;
}

/**
 * Objects that this very owner controls, told by its uid, in no order that means anything. Those of a namespaced owner are in its
 * namespace; a cluster-scoped owner has them anywhere. Throws when the index was not added.
 */
export function ownedChildren<Child extends KubeObject>(
  reader: Pick<InformerReader<Child>, "byIndex" | "listIndexValues">,
  owner: DeepReadonly<KubeObject>,
  { orphans = false }: OwnedChildrenOptions = {},
): readonly DeepReadonly<Child>[] {
  const { uid = "", namespace = "", name = "" } = owner.metadata;
  if (uid === "")
    throw new Error(
      `children of ${name}: the owner has no metadata.uid; take it from the server or a cache, since a uid is what children name`,
    );
  const owned = reader.byIndex(ownerIndex, uid).filter(({ metadata }) => namespace === "" || metadata.namespace === namespace);
  if (!orphans) return owned;
  const places = namespace === "" ? reader.listIndexValues(ownerIndex).filter((value) => value.startsWith("/")) : [orphansOf(namespace)];
  return [...owned, ...places.flatMap((place) => reader.byIndex(ownerIndex, place))];
}

/** Not to be taken for a uid: the server makes uids, and none of them begins with a slash. */
const orphansOf = (namespace = ""): string => `/${namespace}`;
