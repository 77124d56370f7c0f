/**
 * The classic pair: something that can list, and something that can watch. Whoever has both can be reflected.
 *
 *     client + kind → listWatchFromClient → ListerWatcher → versionsFrom → VersionSource → reflector
 *
 * The path the rest of the house takes is late-list-watcher.ts, which keeps objects as text until somebody looks.
 */
import { allNamespaces, targetOf } from "@drover/client";
import type { Client } from "@drover/client";
import { fillItemKinds, isInitialEventsEnd } from "@drover/machinery";
import type { Kind, KubeList, KubeObject, ListOptions, Scope, WatchEvent } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { versionOf } from "./parsed-version.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";
import type { PoisonReport, SourceCall, LazyWatchEvent, VersionPage, VersionSource } from "./version-source.ts";

/** Lists and watches one collection. Objects it hands out belong to the cache from then on, which freezes them. */
export interface ListerWatcher<T extends KubeObject = KubeObject> {
  /** One page, or everything when `options` has no limit. Rejects with an `ApiError` when the server refuses. */
  list(options: ListOptions, call: SourceCall): Promise<KubeList<T>>;
  /** Events until the server closes. A refusal is thrown as an `ApiError`, what goes wrong in the stream is an ERROR event. */
  watch(options: ListOptions, call: SourceCall): AsyncIterable<WatchEvent<T>>;
  /** Whether it can begin a watch with the present state and say where that ends. @default false */
  readonly supportsWatchList?: boolean;
  /** What it lists, in words. @default "objects" */
  readonly description?: string;
}

export interface ListWatchOptions {
  /** `"*"` is all of them; not for kinds that are in no namespace. @default the client's own */
  readonly namespace?: string;
  /** "app=web,tier in (a,b)". @default everything */
  readonly labelSelector?: string;
  /** "spec.nodeName=n1". @default everything */
  readonly fieldSelector?: string;
  /** Has the last word on the options of every list and watch. @default they stay as they are */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
}

/** Lists and watches a kind through a client: client-go's `NewListWatchFromClient` and `NewFilteredListWatchFromClient` in one. */
export function listWatchFromClient<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  options: ListWatchOptions = {},
): ListerWatcher<T> {
  const { namespace, labelSelector, fieldSelector, tweakListOptions = (same) => same } = options;
  const place = namespace === undefined ? {} : { namespace };
  const resource = client.dynamic(targetOf(kind));
  const tweaked = (given: ListOptions): ListOptions => {
    const result = tweakListOptions({
      ...given,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    if (result.shardSelector !== undefined)
      throw new TypeError("tweakListOptions: shardSelector is not something this client can ask for; use listWatcher instead");
    return result;
  };
  return {
    supportsWatchList: true,
    description: describe(kind, namespace ?? client.namespace),
    list: async (given, { signal }) => {
      const {
        watch: _watch,
        allowWatchBookmarks: _bookmarks,
        sendInitialEvents: _initial,
        shardSelector: _shard,
        ...page
      } = tweaked(given);
      return (await resource.list({ ...page, ...place, signal })) as unknown as KubeList<T>;
    },
    watch: (given, { signal }) => {
      const { watch: _watch, limit: _limit, continue: _continue, shardSelector: _shard, ...stream } = tweaked(given);
      return resource.watch({ ...stream, ...place, signal }) as unknown as AsyncIterable<WatchEvent<T>>;
    },
  };
}

function describe({ plural, scope }: Kind, namespace: string): string {
  return scope === "Cluster" ? plural : `${plural} in ${namespace === allNamespaces ? "all namespaces" : namespace}`;
}

/** A lister-watcher as a source of versions; each event is a batch of its own. An object without a name is reported as poison. */
export function versionsFrom<T extends KubeObject>(listerWatcher: ListerWatcher<T>): VersionSource<T> {
  const { supportsWatchList = false, description = "objects" } = listerWatcher;
  return {
    description,
    supportsWatchList,
    list: async (options, call) => pageOf(await listerWatcher.list(options, call)),
    watch: (options, call) => batches(listerWatcher.watch(options, call)),
  };
}

function pageOf<T extends KubeObject>(list: KubeList<T>): VersionPage<T> {
  // Items of a list carry no kind of their own; the list says it.
  const { metadata, items } = fillItemKinds(list);
  const versions: ObjectVersion<T>[] = [];
  const poison: PoisonReport[] = [];
  for (const item of items) {
    const read = readVersion(item);
    if ("poison" in read) poison.push(read.poison);
    else versions.push(read.version);
  }
  return { items: versions, resourceVersion: metadata.resourceVersion ?? "", continue: metadata.continue || undefined, poison };
}

async function* batches<T extends KubeObject>(
  events: AsyncIterable<WatchEvent<T>>,
): AsyncGenerator<readonly LazyWatchEvent<T>[], void, undefined> {
  for await (const event of events) yield [lazyWatchEvent(event)];
}

function lazyWatchEvent<T extends KubeObject>(event: WatchEvent<T>): LazyWatchEvent<T> {
  if (event.type === "ERROR") return { type: "ERROR", status: event.object };
  if (event.type === "BOOKMARK")
    return { type: "BOOKMARK", resourceVersion: event.object.metadata.resourceVersion ?? "", endsInitialEvents: isInitialEventsEnd(event) };
  const read = readVersion(event.object);
  return "poison" in read ? { type: "POISON", report: read.poison } : { type: event.type, version: read.version };
}

function readVersion<T extends KubeObject>(object: T): { readonly version: ObjectVersion<T> } | { readonly poison: PoisonReport } {
  try {
    return { version: versionOf(object) };
  } catch (error) {
    if (!isPoisonObjectError(error)) throw error;
    return { poison: error.report };
  }
}
