/**
 * Follows stored objects of some kinds, for indexes that must be current at every decision.
 *
 *     Store.list, Store.watch → FollowedObjects.catchUp → sink: put, remove, clear
 */
import { assert } from "@drover/machinery";
import type { GroupVersionResource, JsonObject } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import type { Registry } from "./registry.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Resource } from "./resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { Revision, StoreBatch, Stored } from "../storage/store.ts";

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

interface Followed<K extends string> {
  readonly resource: Resource;
  readonly kind: K;
  readonly feed: Feed<StoreBatch>;
}

/**
 * Guarantees: after `catchUp` the sink has every write acknowledged before it was called, if the store delivers writes without a delay.
 * Costs nothing until the first call, and between calls: what was written waits in the history of the store.
 */
export class FollowedObjects<K extends string> {
  readonly #store: ObjectStore;
  readonly #registry: Pick<Registry, "find">;
  readonly #kinds: ReadonlyMap<K, GroupVersionResource>;
  readonly #sink: FollowedSink<K>;
  #followed: readonly Followed<K>[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(
    { objects, registry }: { readonly objects: ObjectStore; readonly registry: Pick<Registry, "find"> },
    kinds: ReadonlyMap<K, GroupVersionResource>,
    sink: FollowedSink<K>,
  ) {
    this.#store = objects;
    this.#registry = registry;
    this.#kinds = kinds;
    this.#sink = sink;
  }

  async catchUp(): Promise<void> {
    while (!this.isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  isCaughtUp(): boolean {
    if (this.#followed === undefined) return false;
    try {
      for (const { resource, kind, feed } of this.#followed) {
        for (let batch = feed.take(); batch !== undefined; batch = feed.take())
          for (const { key, current } of batch.events) this.#apply(resource, kind, key, current);
        if (feed.isOver) return this.#restart();
      }
      return true;
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      return this.#restart();
    }
  }

  #restart(): false {
    for (const { feed } of this.#followed ?? []) feed.dismiss();
    this.#followed = undefined;
    return false;
  }

  async #load(): Promise<void> {
    const { store } = this.#store;
    const revision = await store.revision();
    const pages = await Promise.all(
      [...this.#kinds].map(async ([kind, place]) => {
        const resource = this.#registry.find(place);
        assert(resource !== undefined, `${place.resource} are not served`);
        return { resource, kind, items: (await store.list(resource.storagePrefix, { revision })).items };
      }),
    );
    this.#sink.clear();
    for (const { resource, kind, items } of pages) for (const stored of items) this.#apply(resource, kind, stored.key, stored);
    this.#followed = pages.map(({ resource, kind }) => ({ resource, kind, feed: this.#follow(resource, revision) }));
  }

  #follow({ storagePrefix }: Resource, revision: Revision): Feed<StoreBatch> {
    const watch = this.#store.store.watch(storagePrefix, { from: revision + 1, signal: new AbortController().signal });
    return isFeed(watch) ? watch : new PulledFeed(watch);
  }

  #apply(resource: Resource, kind: K, key: string, stored: Stored | undefined): void {
    const path = key.slice(resource.storagePrefix.length);
    const slash = path.indexOf("/");
    const at: FollowedPlace<K> = { kind, namespace: slash === -1 ? "" : path.slice(0, slash), name: path.slice(slash + 1) };
    if (stored === undefined) this.#sink.remove(at);
    else this.#sink.put(at, this.#store.views(resource).object(stored));
  }
}
