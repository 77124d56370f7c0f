/**
 * Flow schemas and priority levels of the store, current at every request.
 *
 *     Store.list, Store.watch → StoredFlowSchemas.current → FlowSchemas
 */
import type { FlowSchema, PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import { assert } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import { FlowSchemas } from "../flow-control/flow-schemas.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { StoreBatch, Stored } from "../storage/store.ts";

interface Followed {
  readonly resource: Resource;
  readonly feed: Feed<StoreBatch>;
}

const plurals = ["flowschemas", "prioritylevelconfigurations"] as const;

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredFlowSchemas {
  readonly #store: ObjectStore;
  readonly #registry: Pick<Registry, "find">;
  readonly #schemas = new FlowSchemas();
  #followed: readonly Followed[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(store: ObjectStore, registry: Pick<Registry, "find">) {
    this.#store = store;
    this.#registry = registry;
  }

  /** Returns a promise only if the objects must be listed, so that most requests do not wait for one. */
  current(): FlowSchemas | Promise<FlowSchemas> {
    return this.#isCaughtUp() ? this.#schemas : this.#loaded();
  }

  async #loaded(): Promise<FlowSchemas> {
    while (!this.#isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
    return this.#schemas;
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  #isCaughtUp(): boolean {
    if (this.#followed === undefined) return false;
    try {
      for (const { resource, feed } of this.#followed) {
        for (let batch = feed.take(); batch !== undefined; batch = feed.take())
          for (const { key, current } of batch.events) this.#apply(resource, key, current);
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
      plurals.map(async (plural) => {
        const resource = this.#registry.find({ group: "flowcontrol.apiserver.k8s.io", version: "v1", resource: plural });
        assert(resource !== undefined, `${plural} are not served`);
        return { resource, items: (await store.list(resource.storagePrefix, { revision })).items };
      }),
    );
    this.#schemas.clear();
    for (const { resource, items } of pages) for (const stored of items) this.#apply(resource, stored.key, stored);
    this.#followed = pages.map(({ resource }) => {
      const watch = store.watch(resource.storagePrefix, { from: revision + 1, signal: new AbortController().signal });
      return { resource, feed: isFeed(watch) ? watch : new PulledFeed(watch) };
    });
  }

  #apply(resource: Resource, key: string, stored: Stored | undefined): void {
    const name = key.slice(resource.storagePrefix.length);
    const object: unknown = stored === undefined ? undefined : this.#store.views(resource).shared(stored);
    if (resource.kind.kind === "FlowSchema") this.#schemas.putSchema(name, object as FlowSchema | undefined);
    else this.#schemas.putLevel(name, object as PriorityLevelConfiguration | undefined);
  }
}
