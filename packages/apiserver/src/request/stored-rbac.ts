/**
 * Roles and bindings of the store, current at every decision.
 *
 *     Store.list, Store.watch → StoredRbac.current → RbacObjects → rbacAuthorizer
 */
import type { ClusterRole } from "@drover/api/rbac/v1";
import { assert } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import type { Registry } from "../registry/registry.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { Revision, StoreBatch, Stored } from "../storage/store.ts";
import { RbacObjects } from "../access/rbac/rbac-objects.ts";
import type { RbacObject } from "../access/rbac/rbac-objects.ts";

const plurals: readonly (readonly [plural: string, kind: RbacObject["kind"]])[] = [
  ["clusterroles", "ClusterRole"],
  ["roles", "Role"],
  ["clusterrolebindings", "ClusterRoleBinding"],
  ["rolebindings", "RoleBinding"],
];

interface Followed {
  readonly resource: Resource;
  readonly kind: RbacObject["kind"];
  readonly feed: Feed<StoreBatch>;
}

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredRbac {
  readonly #store: ObjectStore;
  readonly #registry: Pick<Registry, "find">;
  readonly #objects = new RbacObjects();
  #followed: readonly Followed[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(store: ObjectStore, registry: Pick<Registry, "find">) {
    this.#store = store;
    this.#registry = registry;
  }

  async current(): Promise<RbacObjects> {
    while (!this.#isCaughtUp()) await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
    return this.#objects;
  }

  /** Applies what was written meanwhile. Returns false if the objects must be listed: at first, and after the watch has ended. */
  #isCaughtUp(): boolean {
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
      plurals.map(async ([plural, kind]) => {
        const resource = this.#registry.find({ group: "rbac.authorization.k8s.io", version: "v1", resource: plural });
        assert(resource !== undefined, `${plural} are not served`);
        return { resource, kind, items: (await store.list(resource.storagePrefix, { revision })).items };
      }),
    );
    this.#objects.clear();
    for (const { resource, kind, items } of pages) for (const stored of items) this.#apply(resource, kind, stored.key, stored);
    this.#followed = pages.map(({ resource, kind }) => ({ resource, kind, feed: this.#follow(resource, revision) }));
  }

  #follow({ storagePrefix }: Resource, revision: Revision): Feed<StoreBatch> {
    const watch = this.#store.store.watch(storagePrefix, { from: revision + 1, signal: new AbortController().signal });
    return isFeed(watch) ? watch : new PulledFeed(watch);
  }

  #apply(resource: Resource, kind: RbacObject["kind"], key: string, stored: Stored | undefined): void {
    const path = key.slice(resource.storagePrefix.length);
    const slash = path.indexOf("/");
    const at: RbacObject = { kind, namespace: slash === -1 ? "" : path.slice(0, slash), name: path.slice(slash + 1) };
    if (stored === undefined) this.#objects.remove(at);
    else this.#objects.put(at, this.#store.views(resource).shared(stored) as unknown as ClusterRole);
  }
}
