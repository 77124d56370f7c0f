/**
 * The stored objects of one resource by namespace, current at every request, without a list for each.
 *
 *     Store.list, Store.watch → NamespacedObjects.in → plug-ins
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { StoreBatch, Stored } from "../storage/store.ts";

/** One stored object. */
export interface NamespacedObject<T extends KubeObject> {
  readonly name: string;
  readonly stored: Stored;
  readonly object: DeepReadonly<T>;
}

const none: readonly never[] = [];

/** Guarantees: `in` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class NamespacedObjects<T extends KubeObject> {
  readonly #objects: ObjectStore;
  readonly #resource: Resource;
  /** By namespace, then name. */
  readonly #found = new Map<string, Map<string, Stored>>();
  #feed: Feed<StoreBatch> | undefined;
  #loading: Promise<void> | undefined;

  constructor(objects: ObjectStore, resource: Resource) {
    this.#objects = objects;
    this.#resource = resource;
  }

  /** Returns the objects of a namespace by name; as a promise only while they are listed: at first, and after a watch has ended. */
  in(namespace: string): readonly NamespacedObject<T>[] | Promise<readonly NamespacedObject<T>[]> {
    return this.#isCaughtUp() ? this.#in(namespace) : this.#loaded(namespace);
  }

  /** Takes over a write of the caller, in case the store delivers it later. */
  remember(stored: Stored): void {
    const { namespace, name } = this.#at(stored.key);
    if (this.#found.get(namespace)?.has(name) === true) this.#apply(stored.key, stored, stored.modRevision);
  }

  #in(namespace: string): readonly NamespacedObject<T>[] {
    const found = this.#found.get(namespace);
    if (found === undefined) return none;
    const views = this.#objects.views(this.#resource);
    return [...found]
      .toSorted(([a], [b]) => compareBytes(a, b))
      .map(([name, stored]) => ({ name, stored, object: views.shared(stored) as unknown as DeepReadonly<T> }));
  }

  async #loaded(namespace: string): Promise<readonly NamespacedObject<T>[]> {
    while (!this.#isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
    return this.#in(namespace);
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed. */
  #isCaughtUp(): boolean {
    const feed = this.#feed;
    if (feed === undefined) return false;
    try {
      for (let batch = feed.take(); batch !== undefined; batch = feed.take())
        for (const { key, current, revision } of batch.events) this.#apply(key, current, revision);
      if (!feed.isOver) return true;
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
    }
    feed.dismiss();
    this.#feed = undefined;
    return false;
  }

  async #load(): Promise<void> {
    const { store } = this.#objects;
    const { items, revision } = await store.list(this.#resource.storagePrefix);
    this.#found.clear();
    for (const stored of items) this.#apply(stored.key, stored, stored.modRevision);
    const watch = store.watch(this.#resource.storagePrefix, { from: revision + 1, signal: new AbortController().signal });
    this.#feed = isFeed(watch) ? watch : new PulledFeed(watch);
  }

  #at(key: string): { readonly namespace: string; readonly name: string } {
    const path = key.slice(this.#resource.storagePrefix.length);
    const slash = path.indexOf("/");
    return { namespace: path.slice(0, slash), name: path.slice(slash + 1) };
  }

  /** Ignores a write that is older than what is known. */
  #apply(key: string, stored: Stored | undefined, revision: number): void {
    const { namespace, name } = this.#at(key);
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
