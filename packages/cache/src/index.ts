/** Informers: from a watch stream to an indexed store and its handlers. This list is the public API; other files are internal. */

// One version of one object, parsed on first access
export type { ObjectVersion } from "./source/object-version.ts";
export { versionOf } from "./source/parsed-version.ts";
export { PoisonObjectError, isPoisonObjectError } from "./source/poison-object-error.ts";
export type { PoisonObjectErrorOptions } from "./source/poison-object-error.ts";

// Sources of versions
export { listWatcher } from "./source/late-list-watcher.ts";
export type { ListWatcherOptions, ListWatcherSettings } from "./source/late-list-watcher.ts";
export { listWatchFromClient, versionsFrom } from "./source/list-watcher.ts";
export type { ListerWatcher, ListWatchOptions } from "./source/list-watcher.ts";
export type { AfterLook } from "./source/late-version.ts";
export type { PoisonReport, SourceCall, LazyWatchEvent, VersionPage, VersionSource } from "./source/version-source.ts";

// Reflector: list, watch, and relist when the watch cannot be resumed
export { createReflector } from "./reflector/reflector.ts";
export type { Reflector, ReflectorOptions } from "./reflector/reflector.ts";
export { isWatchProtocolError, WatchProtocolError } from "./reflector/reflector-failure.ts";
export type { ReflectorSink } from "./reflector/reflector-sink.ts";
export type { ReflectorStatus } from "./reflector/reflector-status.ts";
export { isWatchListIncompleteError, WatchListIncompleteError } from "./reflector/watch-list.ts";
export { createWatchListMemory } from "./reflector/watch-list-memory.ts";
export type { WatchListMemory } from "./reflector/watch-list-memory.ts";

// Informer: a local copy of one collection
export { createInformer } from "./informer/informer.ts";
export type { Informer, InformerOptions, InformerState, InformerView } from "./informer/informer.ts";
export { createBoundedInformer } from "./informer/bounded-informer.ts";
export type {
  BodyLimits,
  BoundedInformer,
  BoundedInformerOptions,
  BoundedInformerState,
  BoundedInformerView,
  ObjectIdentity,
} from "./informer/bounded-informer.ts";
export type { ReadCall } from "./bodies/body-reader.ts";
export type { BoundedChange, BoundedChangeHandler } from "./bodies/bounded-change.ts";
export { StaleReadError, isStaleReadError } from "./bodies/stale-read-error.ts";
export type { Added, Change, Deleted, Updated } from "./store/change.ts";
export type { FollowedStore, StoreFollower, StoreStep } from "./store/store-follower.ts";
export type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerState } from "./handlers/handler-runner.ts";
export type { InformerReader } from "./informer/informer-reader.ts";
export type { ListFilter } from "./informer/list-filter.ts";
export { createLister } from "./informer/lister.ts";
export type { ListedCache, Lister, NamespaceLister } from "./informer/lister.ts";
export type { IndexFunction, Indexers } from "./store/store-index.ts";
export type { Transform } from "./source/transformed-version.ts";
export type { AuditOptions } from "./informer/audit.ts";

// Snapshots of caches between two processes
export type { CacheSnapshotOptions } from "./snapshot/cache-snapshot.ts";
export type { SnapshotOptions, SnapshotReader, SnapshotStore, SnapshotWriter } from "./snapshot/snapshot-store.ts";

// Shared informers and read-your-writes
export { createInformerFactory } from "./informer/informer-factory.ts";
export type {
  BoundedInformerLease,
  BoundedInformerRequest,
  InformerFactory,
  InformerFactoryOptions,
  InformerLease,
  InformerRequest,
  SourceRequest,
} from "./informer/informer-factory.ts";
export { NotSyncedError, isNotSyncedError, unsyncedReason } from "./informer/not-synced-error.ts";
export type { Unsynced } from "./informer/not-synced-error.ts";
export { createReadYourWrites } from "./own-writes/read-your-writes.ts";
export type {
  ConfirmedWrite,
  OwnWritesReader,
  OwnWritesReaderOptions,
  ReadYourWrites,
  ReadYourWritesOptions,
} from "./own-writes/read-your-writes.ts";

// Cluster: client, shared informers and own writes of one API server
export { createCluster } from "./cluster/cluster.ts";
export type { Cluster, ClusterOptions } from "./cluster/cluster.ts";
export type { WatchedKinds, WrittenObject } from "./cluster/watched-kinds.ts";

// Building blocks of other stores and listers, such as client-go's
export { IndexedStore } from "./store/indexed-store.ts";
export type { IndexFailure } from "./store/indexed-store.ts";
export { namespaceIndex } from "./store/informer-store.ts";
export { filterNamespace, filterSelector } from "./informer/list-filter.ts";
