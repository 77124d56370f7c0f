/**
 * Follows stored objects of some kinds, for indexes that must be current at every decision.
 *
 *     FollowedPrefixes → FollowedObjects.catchUp → sink: put, remove, clear
 */
import { assert } from "@drover/machinery";
import type { GroupVersionResource, JsonObject } from "@drover/machinery";
import { FollowedPrefixes } from "./followed-prefixes.ts";
import type { Registry } from "./registry.ts";
import type { ObjectStore } from "./object-store.ts";

/** The place of a followed object. */
export interface FollowedPlace<K extends string> {
  readonly kind: K;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** Receives what is stored: everything once, then every change. */
export interface FollowedSink<K extends string> {
  /** Called with an object that is new or has changed. It was decoded for the sink. */
  put(at: FollowedPlace<K>, object: JsonObject): void;
  remove(at: FollowedPlace<K>): void;
  /** Called before everything is put again. */
  clear(): void;
}

/** Guarantees: those of `FollowedPrefixes`. */
export class FollowedObjects<K extends string> {
  readonly #prefixes: FollowedPrefixes;

  constructor(
    { objects, registry }: { readonly objects: ObjectStore; readonly registry: Pick<Registry, "find"> },
    kinds: ReadonlyMap<K, GroupVersionResource>,
    sink: FollowedSink<K>,
  ) {
    const byPrefix = new Map(
      [...kinds].map(([kind, place]) => {
        const resource = registry.find(place);
        assert(resource !== undefined, `${place.resource} are not served`);
        return [resource.storagePrefix, { kind, resource }] as const;
      }),
    );
    this.#prefixes = new FollowedPrefixes(objects.store, [...byPrefix.keys()], {
      put: (prefix, key, stored) => {
        const followed = byPrefix.get(prefix);
        assert(followed !== undefined, `${prefix} is not followed`);
        const slash = key.indexOf("/");
        const at = { kind: followed.kind, namespace: slash === -1 ? "" : key.slice(0, slash), name: key.slice(slash + 1) };
        if (stored === undefined) sink.remove(at);
        else sink.put(at, objects.views(followed.resource).object(stored));
      },
      clear: () => sink.clear(),
    });
  }

  catchUp(): Promise<void> {
    return this.#prefixes.catchUp();
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  isCaughtUp(): boolean {
    return this.#prefixes.isCaughtUp();
  }
}
