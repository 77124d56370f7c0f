/**
 * client-go's `ListerWatcher`: lists and watches one collection of decoded objects.
 *
 *     client + kind → listWatchFromClient → ListerWatcher → versionsFrom → VersionSource → reflector
 *
 * Drover's own informers use late-list-watcher.ts, which keeps objects as bytes until they are read.
 */
import { allNamespaces, targetOf } from "@drover/client";
import type { Client } from "@drover/client";
import { definedOnly, fillItemKinds, isInitialEventsEnd } from "@drover/machinery";
import type { Kind, KubeList, KubeObject, ListOptions, Scope, WatchEvent } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { versionOf } from "./parsed-version.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";
import type { PoisonReport, SourceCall, LazyWatchEvent, VersionPage, VersionSource } from "./version-source.ts";

/** Lists and watches one collection. The cache takes ownership of the returned objects and freezes them. */
export interface ListerWatcher<T extends KubeObject = KubeObject> {
  /** Returns one page, or all objects if `options` has no limit. Rejects with an `ApiError` for an error response. */
  list(options: ListOptions, call: SourceCall): Promise<KubeList<T>>;
  /** Yields events until the server closes. Throws an `ApiError` for an error response; errors within the stream are ERROR events. */
  watch(options: ListOptions, call: SourceCall): AsyncIterable<WatchEvent<T>>;
  /** Whether `watch` supports `sendInitialEvents`: it starts with the current state and marks its end. @default false */
  readonly supportsWatchList?: boolean;
  /** Description for logs and errors. @default "objects" */
  readonly description?: string;
}

/** Options of `listWatchFromClient`. */
export interface ListWatchOptions {
  /** Namespace; `"*"` means all namespaces. Not for cluster-scoped kinds. @default the namespace of the client */
  readonly namespace?: string;
  /** Label selector: "app=web,tier in (a,b)". @default all objects */
  readonly labelSelector?: string;
  /** Field selector: "spec.nodeName=n1". @default all objects */
  readonly fieldSelector?: string;
  /** Changes the options of every list and watch. @default options are unchanged */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
}

/** Returns a lister-watcher of a kind: client-go's `NewListWatchFromClient` and `NewFilteredListWatchFromClient`. */
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
      ...definedOnly({ labelSelector, fieldSelector }),
    });
    if (result.shardSelector !== undefined)
      throw new TypeError("tweakListOptions: this client does not support shardSelector; use listWatcher instead");
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

/** Returns a lister-watcher as a source of versions, one event per batch. An object without a name is reported as POISON. */
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
  // List items have no kind; take it from the list.
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
