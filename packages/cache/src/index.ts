/** From a watch stream to an indexed store and its handlers. What stands here is a promise; the rest is ours to change. */

// One version of one object, read or still bytes
export type { ObjectVersion } from "./object-version.ts";
export { versionOf } from "./parsed-version.ts";
export { PoisonObjectError } from "./poison-object-error.ts";
export type { PoisonObjectErrorOptions } from "./poison-object-error.ts";

// Where versions come from
export { listWatcher } from "./late-list-watcher.ts";
export type { ListWatcherOptions, ListWatcherSettings } from "./late-list-watcher.ts";
export { listWatchFromClient, versionsFrom } from "./list-watcher.ts";
export type { ListerWatcher, ListWatchOptions } from "./list-watcher.ts";
export type { AfterLook } from "./late-version.ts";
export type { PoisonReport, SourceCall, VersionEvent, VersionPage, VersionSource } from "./version-source.ts";

// List, watch, and list again when the watch cannot be resumed
export { createReflector } from "./reflector.ts";
export type { Reflector, ReflectorOptions } from "./reflector.ts";
export { WatchProtocolError } from "./reflector-failure.ts";
export type { ReflectorSink } from "./reflector-sink.ts";
export type { ReflectorStatus } from "./reflector-status.ts";
export { WatchListIncompleteError } from "./watch-list.ts";
export { createWatchListMemory } from "./watch-list-memory.ts";
export type { WatchListMemory } from "./watch-list-memory.ts";

// A copy of one collection, kept up to date
export { createInformer } from "./informer.ts";
export type { Informer, InformerOptions, InformerState, InformerView } from "./informer.ts";
export type { Added, Change, Deleted, Updated } from "./change.ts";
export type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerState } from "./handler-runner.ts";
export type { InformerReader } from "./informer-reader.ts";
export type { ListFilter } from "./list-filter.ts";
export { createLister } from "./lister.ts";
export type { ListedCache, Lister, NamespaceLister } from "./lister.ts";
export type { IndexFunction, Indexers } from "./store-index.ts";
export type { Transform } from "./transformed-version.ts";
export type { AuditOptions } from "./audit.ts";

// Informers that are shared, and reads that show one's own writes
export { createInformerFactory } from "./informer-factory.ts";
export type { InformerFactory, InformerFactoryOptions, InformerLease, InformerRequest, SourceRequest } from "./informer-factory.ts";
export { NotSyncedError, unsyncedReason } from "./not-synced-error.ts";
export type { Unsynced } from "./not-synced-error.ts";
export { createReadYourWrites } from "./read-your-writes.ts";
export type { ConfirmedWrite, OwnWritesReader, OwnWritesReaderOptions, ReadYourWrites, ReadYourWritesOptions } from "./read-your-writes.ts";

// One cluster as its users share it: client, informers, own writes
export { createCluster } from "./cluster/cluster.ts";
export type { Cluster, ClusterOptions } from "./cluster/cluster.ts";
export type { WatchedKinds, WrittenObject } from "./cluster/watched-kinds.ts";

// Parts for stores and listers with other names and promises
export { IndexedStore } from "./indexed-store.ts";
export type { IndexFailure } from "./indexed-store.ts";
export { namespaceIndex } from "./informer-store.ts";
export { filterNamespace, filterSelector } from "./list-filter.ts";
