/**
 * The stored objects of one resource by namespace, current at every request, without a list for each.
 *
 *     FollowedPrefixes → NamespacedObjects.in → plug-ins
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { FollowedPrefixes } from "../registry/followed-prefixes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Stored } from "../storage/store.ts";

/** One stored object. */
export interface NamespacedObject<T extends KubeObject> {
  readonly name: string;
  readonly stored: Stored;
  readonly object: DeepReadonly<T>;
}

const none: readonly never[] = [];

/** Guarantees: those of `FollowedPrefixes`. */
export class NamespacedObjects<T extends KubeObject> {
  readonly #objects: ObjectStore;
  readonly #resource: Resource;
  /** By namespace, then name. */
  readonly #found = new Map<string, Map<string, Stored>>();
  readonly #prefix: FollowedPrefixes;

  constructor(objects: ObjectStore, resource: Resource) {
    this.#objects = objects;
    this.#resource = resource;
    this.#prefix = new FollowedPrefixes(objects.store, [resource.storagePrefix], {
      put: (_prefix, key, stored, revision) => this.#apply(key, stored, revision),
      clear: () => this.#found.clear(),
    });
  }

  /** Returns the objects of a namespace by name; as a promise only while they are listed: at first, and after a watch has ended. */
  in(namespace: string): readonly NamespacedObject<T>[] | Promise<readonly NamespacedObject<T>[]> {
    return this.#prefix.isCaughtUp() ? this.#in(namespace) : this.#prefix.catchUp().then(() => this.#in(namespace));
  }

  /** Takes over a write of the caller, in case the store delivers it later. */
  remember(stored: Stored): void {
    const key = stored.key.slice(this.#resource.storagePrefix.length);
    const { namespace, name } = placeOf(key);
    if (this.#found.get(namespace)?.has(name) === true) this.#apply(key, stored, stored.modRevision);
  }

  #in(namespace: string): readonly NamespacedObject<T>[] {
    const found = this.#found.get(namespace);
    if (found === undefined) return none;
    const views = this.#objects.views(this.#resource);
    return [...found]
      .toSorted(([a], [b]) => compareBytes(a, b))
      .map(([name, stored]) => ({ name, stored, object: views.shared(stored) as unknown as DeepReadonly<T> }));
  }

  /** Ignores a write that is older than what is known. */
  #apply(key: string, stored: Stored | undefined, revision: number): void {
    const { namespace, name } = placeOf(key);
    const known = this.#found.get(namespace);
    if ((known?.get(name)?.modRevision ?? 0) > revision) return;
    if (stored !== undefined) {
      if (known === undefined) this.#found.set(namespace, new Map([[name, stored]]));
      else known.set(name, stored);
      return;
    }
    known?.delete(name);
    if (known?.size === 0) this.#found.delete(namespace);
  }
}

function placeOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
