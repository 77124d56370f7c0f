/**
 * Enqueues keys of one kind when objects of another kind change: Wrangler's package relatedresource.
 *
 *     relatedresource.watch(signal, "secrets-of-charts", resolve, charts, secrets)
 *
 * Calls the resolver with the object before and after a change, so that objects which are no longer referenced are
 * enqueued too; and with deleted objects, also if their deletion was missed.
 */
import { DeletedFinalStateUnknown, lastKnownState } from "@drover/client-go";
import type { DeletedObject, SharedIndexInformer } from "@drover/client-go";
import type { EnqueueReason } from "@drover/lasso";
import { objectKeyOf, parseGroupVersion, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectName } from "@drover/machinery";
import type { ControllerMeta } from "./generic-controller.ts";

/** The object to enqueue; without a namespace for cluster-scoped kinds. */
export type Key = ObjectName;

/** Returns the keys that a change of an object affects. If it throws, it is called again with the backoff of the watched kind. */
export type Resolver = (
  namespace: string,
  name: string,
  object: DeepReadonly<KubeObject> | undefined,
) => readonly Key[] | Promise<readonly Key[]>;

/** Enqueues keys of a namespaced kind. */
export interface Enqueuer {
  enqueue(namespace: string, name: string, reason?: EnqueueReason): void;
}

/** Enqueues keys of a cluster-scoped kind. */
export interface ClusterScopedEnqueuer {
  enqueue(name: string, reason?: EnqueueReason): void;
}

/** A controller whose objects are watched. */
export type Watched = Pick<ControllerMeta, "groupVersionKind" | "addGenericHandler" | "enqueueKey"> & {
  informer(): Pick<SharedIndexInformer<KubeObject>, "addEventHandler" | "removeEventHandler">;
};

/** The key for "everything": handlers receive it without an object. */
const allKey = "_all_";

const newKey = (namespace: string, name: string): Key => ({ namespace, name });

/** "namespace/name", or "name". */
const fromString = (key: string): Key => splitObjectKey(key);

/** One run for every change. */
const triggerAllKey: Resolver = () => [newKey("", allKey)];

/** Resolves to owners of this kind by owner reference, in any version. A kind is a value, so its name cannot be misspelt. */
function ownerResolver(kind: Kind): Resolver {
  return (namespace, _name, object) =>
    (object?.metadata.ownerReferences ?? [])
      .filter((owner) => owner.kind === kind.kind && parseGroupVersion(owner.apiVersion).group === kind.group)
      .map((owner) => newKey(kind.scope === "Cluster" ? "" : namespace, owner.name));
}

function watch(signal: AbortSignal, name: string, resolve: Resolver, enqueuer: Enqueuer, ...watching: readonly Watched[]): void {
  for (const watched of watching)
    watchOne(signal, name, resolve, (key, reason) => enqueuer.enqueue(key.namespace, key.name, reason), watched);
}

function watchClusterScoped(
  signal: AbortSignal,
  name: string,
  resolve: Resolver,
  enqueuer: ClusterScopedEnqueuer,
  ...watching: readonly Watched[]
): void {
  for (const watched of watching) watchOne(signal, name, resolve, (key, reason) => enqueuer.enqueue(key.name, reason), watched);
}

function watchOne(
  signal: AbortSignal,
  name: string,
  resolve: Resolver,
  enqueue: (key: Key, reason: EnqueueReason) => void,
  watched: Watched,
): void {
  if (signal.aborted) return;
  const { kind } = watched.groupVersionKind();
  /**
   * Objects that could not be resolved yet, by key: the state before the first failure and the newest. Keys that only a state in between
   * refers to are not affected any more.
   */
  const unresolved = new Map<string, (DeepReadonly<KubeObject> | undefined)[]>();

  const settle = async (key: string, objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<void> => {
    const { namespace, name: objectName } = splitObjectKey(key);
    const found = new Map<string, Key>();
    for (const object of objects)
      for (const one of await resolve(namespace, objectName, object)) if (one.name !== "") found.set(`${one.namespace}/${one.name}`, one);
    for (const one of found.values()) enqueue(one, { note: `${kind} ${key} changed (${name})` });
  };
  const changed = async (key: string, objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<void> => {
    try {
      if (!signal.aborted) await settle(key, objects);
    } catch {
      // The handler below reports the error, and its queue retries.
      const [oldest] = unresolved.get(key) ?? objects;
      const newest = objects.at(-1);
      unresolved.set(key, oldest === newest ? [newest] : [oldest, newest]);
      watched.enqueueKey(key, { note: `${name} could not resolve the affected keys` });
    }
  };
  const registration = watched.informer().addEventHandler({
    onAdd: (object) => changed(objectKeyOf(object), [object]),
    onUpdate: (before, object) => changed(objectKeyOf(object), [before, object]),
    onDelete: (object) => changed(keyOfDeleted(object), [lastKnownState(object)]),
  });
  // A derived signal: Node warns about many listeners on one signal.
  AbortSignal.any([signal]).addEventListener(
    "abort",
    () => {
      watched.informer().removeEventHandler(registration);
      unresolved.clear();
    },
    { once: true },
  );
  watched.addGenericHandler(signal, name, async (key) => {
    const objects = unresolved.get(key);
    if (objects === undefined) return;
    await settle(key, objects);
    // Another change may have failed in the meantime.
    if (unresolved.get(key) === objects) unresolved.delete(key);
  });
}

const keyOfDeleted = (object: DeletedObject<KubeObject>): string =>
  object instanceof DeletedFinalStateUnknown ? object.key : objectKeyOf(object);

/** Type of `relatedresource`. */
export interface RelatedResource {
  /** Enqueues the keys that the resolver returns for every change in the watched kinds, until `signal` aborts. */
  readonly watch: typeof watch;
  /** `watch` for keys of a cluster-scoped kind. */
  readonly watchClusterScoped: typeof watchClusterScoped;
  /** Returns a resolver to the owners of a kind. */
  readonly ownerResolver: typeof ownerResolver;
  readonly newKey: typeof newKey;
  readonly fromString: typeof fromString;
  /** Resolver for handlers that process everything on any change: they receive the key `allKey` without an object. */
  readonly triggerAllKey: Resolver;
  readonly allKey: string;
}

/** Wrangler's package relatedresource. */
export const relatedresource: RelatedResource = { watch, watchClusterScoped, ownerResolver, newKey, fromString, triggerAllKey, allKey };
