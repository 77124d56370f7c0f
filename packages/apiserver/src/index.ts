/** A Kubernetes API server in the same process. What stands here is a promise; the rest is ours to change. */

// Where the server keeps what it must not forget
export { MemoryStore } from "./storage/memory-store.ts";
export type { MemoryStoreOptions, StoreSnapshot } from "./storage/memory-store.ts";
export { CompactedError, FutureRevisionError } from "./storage/store.ts";
export type { ListOptions, PutOptions, ReadOptions, Revision, Store, StoreEvent, Stored, StoredPage, WatchOptions, WriteOutcome } from "./storage/store.ts";
