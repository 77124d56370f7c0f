/**
 * Objects of one resource by name, current at every request.
 *
 *     FollowedPrefixes → StoredIndex.current → a value built from all objects, again only after a change
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { FollowedPrefixes } from "./followed-prefixes.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Resource } from "./resource.ts";

/** Guarantees: those of `FollowedPrefixes`. */
export class StoredIndex<V> {
  readonly #build: (objects: readonly DeepReadonly<JsonObject>[]) => V;
  /** By key: "name", or "namespace/name". */
  readonly #objects = new Map<string, DeepReadonly<JsonObject>>();
  readonly #prefix: FollowedPrefixes;
  #value: { readonly built: V } | undefined;

  /** `build` gets all objects, sorted by key. */
  constructor(store: ObjectStore, resource: Resource, build: (objects: readonly DeepReadonly<JsonObject>[]) => V) {
    this.#build = build;
    this.#prefix = new FollowedPrefixes(store.store, [resource.storagePrefix], {
      put: (_prefix, key, stored) => {
        if (stored === undefined) this.#objects.delete(key);
        else this.#objects.set(key, store.views(resource).shared(stored));
        this.#value = undefined;
      },
      clear: () => {
        this.#objects.clear();
        this.#value = undefined;
      },
    });
  }

  /** Returns the value; a promise only if the objects must be listed first. */
  current(): V | Promise<V> {
    return this.#prefix.isCaughtUp() ? this.#built() : this.#prefix.catchUp().then(() => this.#built());
  }

  #built(): V {
    this.#value ??= { built: this.#build([...this.#objects].toSorted(([a], [b]) => compareBytes(a, b)).map(([, object]) => object)) };
    return this.#value.built;
  }
}
