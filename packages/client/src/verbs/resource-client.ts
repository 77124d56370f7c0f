/**
 * The verbs for objects of one kind, typed by its descriptor.
 *
 *     Kind<Pod, "Namespaced", "eviction" | …> → ResourceClient → DynamicClient → exchange → Transport
 *
 * The types require that only namespaced kinds take a `namespace`, and that only existing subresources are used.
 */
import type { DeepReadonly, Kind, KubeList, KubeObject, Scope, Status, WatchEvent } from "@drover/machinery";
import type { ApplyObject } from "./apply-object.ts";
import type {
  ApplyOptions,
  InNamespace,
  ListAllOptions,
  ListPageOptions,
  ReadOptions,
  RemoveCollectionOptions,
  RemoveOptions,
  WatchOptions,
  WriteOptions,
} from "./call-options.ts";
import { dynamicClient, ResourceCalls } from "./dynamic-client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Patch } from "./patch-body.ts";
import { targetOf } from "./resource-target.ts";
import { subresourceClients } from "./subresources.ts";
import type { Subresources } from "./subresources.ts";

/**
 * Nine verbs, and `listAll`. Guarantees of every verb: an error of the server is an `ApiError` whose `attempt` names the
 * operation ("update deployments/web in shop"); objects have `apiVersion` and `kind`, also as items of lists; arguments are
 * never modified and may be frozen; an abort rejects with the signal's reason.
 */
export interface ResourceVerbs<T extends KubeObject, S extends Scope> {
  get(name: string, options?: ReadOptions & InNamespace<S>): Promise<T>;
  /** Returns one page; `metadata.continue` is set if there are more. */
  list(options?: ListPageOptions & InNamespace<S>): Promise<KubeList<T>>;
  /** Yields every object, page by page. Restarts if a page has expired on the server. */
  listAll(options?: ListAllOptions & InNamespace<S>): AsyncIterableIterator<T, void, undefined>;
  /** Yields changes until the server ends the watch. An error in the stream is an event of type ERROR with a Status as its object. */
  watch(options?: WatchOptions & InNamespace<S>): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  /** Creates the object. `apiVersion` and `kind` are optional; the server chooses the name with `metadata.generateName`. */
  create(object: DeepReadonly<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  /** Replaces the object. With `metadata.resourceVersion`, a change since then is a conflict (`isConflict`). */
  update(object: DeepReadonly<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  patch(name: string, patch: Patch<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  /**
   * Applies the given fields (server-side apply); creates the object if it does not exist. Requires a field manager, the
   * client's or the call's.
   */
  apply(object: ApplyObject<T>, options?: ApplyOptions & InNamespace<S>): Promise<T>;
  /** Returns the deleted object if the kind does that or a finalizer or grace period delays the deletion; else a Status. */
  delete(name: string, options?: RemoveOptions & InNamespace<S>): Promise<T | Status>;
  /** Deletes what matches; without a selector everything in the namespace. Returns the objects, or a Status. */
  deleteCollection(options?: RemoveCollectionOptions & InNamespace<S>): Promise<KubeList<T> | Status>;
}

/** The verbs, and the subresources of the kind by name: `pods.eviction`, `deployments.scale`. */
export type ResourceClient<T extends KubeObject, S extends Scope = Scope, Sub extends string = string> = ResourceVerbs<T, S> &
  Subresources<T, S, Sub>;

/** Returns the client for one kind. Sends no request by itself. */
export function resourceClient<T extends KubeObject, S extends Scope, Sub extends string>(
  core: ClientOptions,
  kind: Kind<T, S, Sub>,
): ResourceClient<T, S, Sub> {
  const verbs = dynamicClient(core, targetOf(kind));
  // See resourceVerbs.
  return { ...verbs, ...subresourceClients(core, verbs, kind) } as unknown as ResourceClient<T, S, Sub>;
}

/** Returns the verbs for one call: without subresources, and as methods that must not be detached. */
export function resourceVerbs<T extends KubeObject, S extends Scope>(core: ClientOptions, kind: Kind<T, S>): ResourceVerbs<T, S> {
  // The only file that trusts a descriptor for the type of the server's objects.
  return new ResourceCalls(core, targetOf(kind)) as unknown as ResourceVerbs<T, S>;
}
