/**
 * Objects of one resource by name, current at every request.
 *
 *     Store.list, Store.watch → StoredIndex.current → a value built from all objects, again only after a change
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import { CompactedError } from "../storage/store.ts";
import type { StoreBatch } from "../storage/store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Resource } from "./resource.ts";

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredIndex<V> {
  readonly #store: ObjectStore;
  readonly #resource: Resource;
  readonly #build: (objects: readonly DeepReadonly<JsonObject>[]) => V;
  /** By key: "name", or "namespace/name". */
  readonly #objects = new Map<string, DeepReadonly<JsonObject>>();
  #feed: Feed<StoreBatch> | undefined;
  #loading: Promise<void> | undefined;
  #value: { readonly built: V } | undefined;

  /** `build` gets all objects, sorted by key. */
  constructor(store: ObjectStore, resource: Resource, build: (objects: readonly DeepReadonly<JsonObject>[]) => V) {
    this.#store = store;
    this.#resource = resource;
    this.#build = build;
  }

  /** Returns the value; a promise only if the objects must be listed first. */
  current(): V | Promise<V> {
    return this.#isCaughtUp() ? this.#built() : this.#loaded();
  }

  async #loaded(): Promise<V> {
    while (!this.#isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
    return this.#built();
  }

  #built(): V {
    this.#value ??= { built: this.#build([...this.#objects].toSorted(([a], [b]) => compareBytes(a, b)).map(([, object]) => object)) };
    return this.#value.built;
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  #isCaughtUp(): boolean {
    const feed = this.#feed;
    if (feed === undefined) return false;
    try {
      for (let batch = feed.take(); batch !== undefined; batch = feed.take())
        for (const { key, current } of batch.events) this.#apply(key, current);
      if (!feed.isOver) return true;
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
    }
    feed.dismiss();
    this.#feed = undefined;
    return false;
  }

  async #load(): Promise<void> {
    const { store } = this.#store;
    const { storagePrefix } = this.#resource;
    const { items, revision } = await store.list(storagePrefix);
    this.#objects.clear();
    this.#value = undefined;
    for (const stored of items) this.#apply(stored.key, stored);
    const watch = store.watch(storagePrefix, { from: revision + 1, signal: new AbortController().signal });
    this.#feed = isFeed(watch) ? watch : new PulledFeed(watch);
  }

  #apply(key: string, stored: StoreBatch["events"][number]["current"]): void {
    const name = key.slice(this.#resource.storagePrefix.length);
    if (stored === undefined) this.#objects.delete(name);
    else this.#objects.set(name, this.#store.views(this.#resource).shared(stored));
    this.#value = undefined;
  }
}
