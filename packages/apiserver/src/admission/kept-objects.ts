/**
 * What admission plug-ins know about the stored objects of one cluster-scoped resource, current at every request.
 *
 *     FollowedPrefixes → KeptObjects.use → plug-in
 *
 * A plug-in that lists the store on every write would be slow; one that reads what others wrote late would decide wrongly.
 */
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { FollowedPrefixes } from "../registry/followed-prefixes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";

/** Returns what to keep of an object; undefined for nothing. */
export type ReadObject<T> = (object: DeepReadonly<KubeObject>) => T | undefined;

/** Guarantees: those of `FollowedPrefixes`. */
export class KeptObjects<T> {
  readonly #kept = new Map<string, T>();
  readonly #prefix: FollowedPrefixes;

  constructor(objects: ObjectStore, resource: Resource, read: ReadObject<T>) {
    this.#prefix = new FollowedPrefixes(objects.store, [resource.storagePrefix], {
      put: (_prefix, name, stored) => {
        const kept = stored === undefined ? undefined : read(objects.views(resource).shared(stored) as unknown as DeepReadonly<KubeObject>);
        if (kept === undefined) this.#kept.delete(name);
        else this.#kept.set(name, kept);
      },
      clear: () => this.#kept.clear(),
    });
  }

  /** Calls `then` with what was kept, by name: at once, or, if the objects must be listed first, when they are. */
  use<R>(then: (kept: ReadonlyMap<string, T>) => R): R | Promise<R> {
    return this.#prefix.isCaughtUp() ? then(this.#kept) : this.#prefix.catchUp().then(() => then(this.#kept));
  }
}
