/**
 * The verbs for objects of one kind, typed by its descriptor.
 *
 *     Kind<Pod, "Namespaced", "eviction" | …> → ResourceClient → DynamicClient → exchange → Transport
 *
 * Namespaced kinds take a `namespace`, cluster-scoped ones refuse it, and subresources are there where the kind has
 * them: all at compile time.
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
import { dynamicClient } from "./dynamic-client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Patch } from "./patch-body.ts";
import { targetOf } from "./resource-target.ts";
import { subresourceClients } from "./subresources.ts";
import type { Subresources } from "./subresources.ts";

/**
 * Nine verbs and a list that goes on. Guarantees of every verb: an error of the server is an `ApiError` whose `attempt` says what was tried
 * ("update deployments/web in shop"); objects come with `apiVersion` and `kind`, items of lists too; what is handed in is never changed
 * and may be frozen; an abort rejects with the signal's reason.
 */
export interface ResourceVerbs<T extends KubeObject, S extends Scope> {
  get(name: string, options?: ReadOptions & InNamespace<S>): Promise<T>;
  /** One page; `metadata.continue` says whether there are more. */
  list(options?: ListPageOptions & InNamespace<S>): Promise<KubeList<T>>;
  /** Every object, page after page. Begins anew when a page has expired on the server. */
  listAll(options?: ListAllOptions & InNamespace<S>): AsyncIterableIterator<T, void, undefined>;
  /** One stream of changes, until the server ends it. What goes wrong inside the stream is an event of type ERROR, its object a Status. */
  watch(options?: WatchOptions & InNamespace<S>): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  /** `apiVersion` and `kind` may be left out, and the name left to the server: `metadata.generateName`. */
  create(object: DeepReadonly<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  /** Replaces the object. `metadata.resourceVersion` is sent as it is: with it, a change since then is a conflict (`isConflict`). */
  update(object: DeepReadonly<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  patch(name: string, patch: Patch<T>, options?: WriteOptions & InNamespace<S>): Promise<T>;
  /**
   * Server-side apply: makes the given fields ours and creates the object when there is none. Needs a field manager,
   * the client's or the call's.
   */
  apply(object: ApplyObject<T>, options?: ApplyOptions & InNamespace<S>): Promise<T>;
  /** Answers with the object as it was, where the kind does that or a finalizer or grace period still holds it; else with a Status. */
  delete(name: string, options?: RemoveOptions & InNamespace<S>): Promise<T | Status>;
  /** Deletes what matches; without a selector everything in the namespace. Answers with the objects, or with a Status. */
  deleteCollection(options?: RemoveCollectionOptions & InNamespace<S>): Promise<KubeList<T> | Status>;
}

/** The verbs, and under their names the subresources the kind has: `pods.eviction`, `deployments.scale`. */
export type ResourceClient<T extends KubeObject, S extends Scope = Scope, Sub extends string = string> = ResourceVerbs<T, S> &
  Subresources<T, S, Sub>;

/** The client for one kind. Does nothing by itself: no request is sent until a verb is called. */
export function resourceClient<T extends KubeObject, S extends Scope, Sub extends string>(
  core: ClientOptions,
  kind: Kind<T, S, Sub>,
): ResourceClient<T, S, Sub> {
  const verbs = dynamicClient(core, targetOf(kind));
  // The one border where a descriptor's word is taken for the type of what the server sends.
  return { ...verbs, ...subresourceClients(core, verbs, kind) } as unknown as ResourceClient<T, S, Sub>;
}
