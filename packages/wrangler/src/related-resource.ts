/**
 * A change of one kind makes keys of another kind due: Wrangler's package relatedresource.
 *
 *     relatedresource.watch(signal, "secrets-of-charts", resolve, charts, secrets)
 *
 * The resolver is asked about the object as it was and as it is, so that whoever is not referred to any longer hears of it too; and about
 * objects that are gone, at once, also when nobody saw them go.
 */
import { DeletedFinalStateUnknown, lastKnownState } from "@drover/client-go";
import type { DeletedObject, SharedIndexInformer } from "@drover/client-go";
import type { EnqueueReason } from "@drover/lasso";
import { objectKeyOf, parseGroupVersion, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectName } from "@drover/machinery";
import type { ControllerMeta } from "./generic-controller.ts";

/** Which object is to run; without a namespace for kinds that are in none. */
export type Key = ObjectName;

/** Says whom a change of an object concerns. What it throws makes it be asked again, with the backoff of the watched kind. */
export type Resolver = (
  namespace: string,
  name: string,
  object: DeepReadonly<KubeObject> | undefined,
) => readonly Key[] | Promise<readonly Key[]>;

/** Whose keys are to run. */
export interface Enqueuer {
  enqueue(namespace: string, name: string, reason?: EnqueueReason): void;
}

/** Whose keys are to run, of a kind that is in no namespace. */
export interface ClusterScopedEnqueuer {
  enqueue(name: string, reason?: EnqueueReason): void;
}

/** A controller whose changes are looked at. */
export type Watched = Pick<ControllerMeta, "groupVersionKind" | "addGenericHandler" | "enqueueKey"> & {
  informer(): Pick<SharedIndexInformer<KubeObject>, "addEventHandler" | "removeEventHandler">;
};

/** The key that stands for "everything": handlers get it with no object. */
const allKey = "_all_";

const newKey = (namespace: string, name: string): Key => ({ namespace, name });

/** "namespace/name", or "name". */
const fromString = (key: string): Key => splitObjectKey(key);

/** Whatever changes, one run for all. */
const triggerAllKey: Resolver = () => [newKey("", allKey)];

/** The owner of this kind, by the owner references. The version does not matter, and a kind is a value, so its name cannot be misspelt. */
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
  /** What could not be resolved yet, by key. */
  const owed = new Map<string, (DeepReadonly<KubeObject> | undefined)[]>();

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
      // The handler below says what was wrong, and its queue knows when to try again.
      owed.set(key, [...(owed.get(key) ?? []), ...objects]);
      watched.enqueueKey(key, { note: `${name} could not say whom it concerns` });
    }
  };
  const registration = watched.informer().addEventHandler({
    onAdd: (object) => changed(objectKeyOf(object), [object]),
    onUpdate: (before, object) => changed(objectKeyOf(object), [before, object]),
    onDelete: (object) => changed(keyOfDeleted(object), [lastKnownState(object)]),
  });
  // A signal of its own: Node warns of many listeners on one.
  AbortSignal.any([signal]).addEventListener(
    "abort",
    () => {
      watched.informer().removeEventHandler(registration);
      owed.clear();
    },
    { once: true },
  );
  watched.addGenericHandler(signal, name, async (key) => {
    const objects = owed.get(key);
    if (objects === undefined) return;
    await settle(key, objects);
    // What came while it was asked is owed still.
    const left = (owed.get(key) ?? []).slice(objects.length);
    if (left.length === 0) owed.delete(key);
    else owed.set(key, left);
  });
}

const keyOfDeleted = (object: DeletedObject<KubeObject>): string =>
  object instanceof DeletedFinalStateUnknown ? object.key : objectKeyOf(object);

/** Wrangler's package of this name. */
export interface RelatedResource {
  /** Whatever changes in the watched kinds makes the keys due that the resolver names, until the signal is aborted. */
  readonly watch: typeof watch;
  /** `watch` for keys of a kind that is in no namespace. */
  readonly watchClusterScoped: typeof watchClusterScoped;
  /** Resolves to the owners of a kind. */
  readonly ownerResolver: typeof ownerResolver;
  readonly newKey: typeof newKey;
  readonly fromString: typeof fromString;
  /** A resolver for handlers that look at everything at once, whatever changed: they get the key `allKey`, and no object. */
  readonly triggerAllKey: Resolver;
  readonly allKey: string;
}

/** Wrangler's package of this name. */
export const relatedresource: RelatedResource = { watch, watchClusterScoped, ownerResolver, newKey, fromString, triggerAllKey, allKey };
