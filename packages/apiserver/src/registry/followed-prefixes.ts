/**
 * Follows the writes of the store below some prefixes, for indexes that must be current at every decision.
 *
 *     Store.list, Store.watch → FollowedPrefixes.catchUp → sink: put, clear
 */
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import { CompactedError } from "../storage/store.ts";
import type { Revision, Store, StoreBatch, Stored } from "../storage/store.ts";

/** Receives what is stored: everything once, then every change. */
export interface PrefixSink {
  /** `key` is without the prefix; `stored` is undefined after a deletion. */
  put(prefix: string, key: string, stored: Stored | undefined, revision: Revision): void;
  /** Called before everything is put again. */
  clear(): void;
}

interface Followed {
  readonly prefix: string;
  readonly feed: Feed<StoreBatch>;
}

/**
 * Guarantees: after `catchUp` the sink has every write acknowledged before it was called, if the store delivers writes without a delay.
 * Costs nothing until the first call, and between calls: what was written waits in the history of the store.
 */
export class FollowedPrefixes {
  readonly #store: Store;
  readonly #prefixes: readonly string[];
  readonly #sink: PrefixSink;
  #followed: readonly Followed[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(store: Store, prefixes: readonly string[], sink: PrefixSink) {
    this.#store = store;
    this.#prefixes = prefixes;
    this.#sink = sink;
  }

  async catchUp(): Promise<void> {
    while (!this.isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after a watch has ended. */
  isCaughtUp(): boolean {
    if (this.#followed === undefined) return false;
    try {
      for (const { prefix, feed } of this.#followed) {
        for (let batch = feed.take(); batch !== undefined; batch = feed.take())
          for (const { key, current, revision } of batch.events) this.#sink.put(prefix, key.slice(prefix.length), current, revision);
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
    const revision = await this.#store.revision();
    const pages = await Promise.all(
      this.#prefixes.map(async (prefix) => ({ prefix, items: (await this.#store.list(prefix, { revision })).items })),
    );
    this.#sink.clear();
    for (const { prefix, items } of pages)
      for (const stored of items) this.#sink.put(prefix, stored.key.slice(prefix.length), stored, stored.modRevision);
    this.#followed = this.#prefixes.map((prefix) => ({ prefix, feed: this.#follow(prefix, revision) }));
  }

  #follow(prefix: string, revision: Revision): Feed<StoreBatch> {
    const watch = this.#store.watch(prefix, { from: revision + 1, signal: new AbortController().signal });
    return isFeed(watch) ? watch : new PulledFeed(watch);
  }
}
