/**
 * What admission plug-ins know about the stored objects of one cluster-scoped resource, current at every request.
 *
 *     Store.list, Store.watch → FollowedObjects.use → plug-in
 *
 * A plug-in that lists the store on every write would be slow; one that reads what others wrote late would decide wrongly.
 */
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { StoreBatch, Stored } from "../storage/store.ts";

/** Returns what to keep of an object; undefined for nothing. */
export type ReadObject<T> = (object: DeepReadonly<KubeObject>) => T | undefined;

/** Guarantees: `use` sees every write acknowledged before it was called, if the store delivers writes without a delay. */
export class FollowedObjects<T> {
  readonly #objects: ObjectStore;
  readonly #resource: Resource;
  readonly #read: ReadObject<T>;
  readonly #found = new Map<string, T>();
  #feed: Feed<StoreBatch> | undefined;
  #loading: Promise<void> | undefined;

  constructor(objects: ObjectStore, resource: Resource, read: ReadObject<T>) {
    this.#objects = objects;
    this.#resource = resource;
    this.#read = read;
  }

  /** Calls `then` with what was kept, by name: at once, or, if the objects must be listed first, when they are. */
  use<R>(then: (found: ReadonlyMap<string, T>) => R): R | Promise<R> {
    return this.#isCaughtUp() ? then(this.#found) : this.#loaded().then(() => then(this.#found));
  }

  async #loaded(): Promise<void> {
    while (!this.#isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  #isCaughtUp(): boolean {
    const feed = this.#feed;
    if (feed === undefined) return false;
    try {
      for (let batch = feed.take(); batch !== undefined; batch = feed.take())
        for (const { key, current } of batch.events) this.#apply(key, current);
      return feed.isOver ? this.#restart(feed) : true;
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      return this.#restart(feed);
    }
  }

  #restart(feed: Feed<StoreBatch>): false {
    feed.dismiss();
    this.#feed = undefined;
    return false;
  }

  async #load(): Promise<void> {
    const { store } = this.#objects;
    const { storagePrefix } = this.#resource;
    const revision = await store.revision();
    const { items } = await store.list(storagePrefix, { revision });
    this.#found.clear();
    for (const stored of items) this.#apply(stored.key, stored);
    const watch = store.watch(storagePrefix, { from: revision + 1, signal: new AbortController().signal });
    this.#feed = isFeed(watch) ? watch : new PulledFeed(watch);
  }

  #apply(key: string, stored: Stored | undefined): void {
    const name = key.slice(this.#resource.storagePrefix.length);
    const views = this.#objects.views(this.#resource);
    const kept = stored === undefined ? undefined : this.#read(views.shared(stored) as unknown as DeepReadonly<KubeObject>);
    if (kept === undefined) this.#found.delete(name);
    else this.#found.set(name, kept);
  }
}
