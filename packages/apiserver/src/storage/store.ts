/**
 * Where the server keeps its objects: text values by key; each write gets the next revision of the whole store.
 *
 *     verbs → ObjectStore → Store;   Store.watch → WatchLines
 *
 * A subset of etcd's interface. `MemoryStore`, `DiskStore` and `EtcdStore` implement it; testing/store-contract.ts is what any other has
 * to pass.
 */

/** The number of a write, over all keys: consecutive and unique. The empty store is at revision 1, as in etcd. */
export type Revision = number;

/** The value of a key. */
export interface Stored {
  readonly key: string;
  readonly value: string;
  /** The revision that created the key; a key that is deleted and put again gets a new one. */
  readonly createRevision: Revision;
  /** The revision that put this value. */
  readonly modRevision: Revision;
  /** Whether a put of the same text would change what is stored, such as its encryption. @default false */
  readonly isStale?: boolean;
}

/** One write. */
export interface StoreEvent {
  readonly revision: Revision;
  readonly key: string;
  /** The value after the write; undefined for a deletion. */
  readonly current: Stored | undefined;
  /** The value before the write; undefined when the key did not exist. */
  readonly previous: Stored | undefined;
}

/** Consecutive writes delivered together, possibly none. */
export interface StoreBatch {
  readonly events: readonly StoreEvent[];
  /** The watch is complete under its prefix up to this revision. */
  readonly revision: Revision;
}

/** An open watch. */
export interface StoreWatch extends AsyncIterable<StoreBatch> {
  /** Requests a batch soon, possibly an empty one, that reports the current revision. */
  requestProgress(): void;
}

export interface ReadOptions {
  /** Reads at this revision. @default the latest */
  readonly revision?: Revision;
}

export interface ListOptions extends ReadOptions {
  /** Starts after this key. @default at the first key */
  readonly after?: string;
  /** Maximum number of keys. @default all */
  readonly limit?: number;
}

/** The keys under a prefix, in order. */
export interface StoredPage {
  readonly items: readonly Stored[];
  /** The revision at which the page was read. */
  readonly revision: Revision;
  /** Number of keys after the last item. */
  readonly remaining: number;
}

/** A successful write, or the current value of a key that was not as expected. */
export type WriteOutcome<T> =
  | { readonly written: true; readonly revision: Revision; readonly result: T }
  | { readonly written: false; readonly found: Stored | undefined };

export interface PutOptions {
  /** Writes only if the key was last written at this revision; 0 requires that it does not exist. */
  readonly expected: Revision;
  /** Deletes the key after this time, which each put restarts. @default never */
  readonly ttlMs?: number;
  /** The kind of a custom object, which its text does not have; for stores that other servers read. @default a built-in kind */
  readonly kind?: string;
}

export interface WatchOptions {
  /** The first revision to deliver. */
  readonly from: Revision;
  readonly signal: AbortSignal;
}

/**
 * Guarantees: each write increments the revision by one, and all readers see writes in that order; a read without a revision sees
 * every write acknowledged before it; the items and the count of a page belong to one revision.
 */
export interface Store {
  get(key: string, options?: ReadOptions): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }>;
  /** Lists the keys with a prefix. Rejects with a `CompactedError` or a {@link FutureRevisionError}. */
  list(prefix: string, options?: ListOptions): Promise<StoredPage>;
  /** Rejects with a `SpaceExceededError` when the value would exceed the quota of the store. */
  put(key: string, value: string, options: PutOptions): Promise<WriteOutcome<Stored>>;
  /** Deletes a key last written at `expected`; the result is the deleted value. */
  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>>;
  /**
   * Delivers every write under a prefix from a revision on, in batches, until the signal aborts. Rejects with a `CompactedError`
   * when wanted writes are compacted, at the start or because the reader is too slow. Can be iterated once.
   */
  watch(prefix: string, options: WatchOptions): StoreWatch;
  /** Drops the history before this revision: it can no longer be read or watched from. */
  compact(revision: Revision): Promise<void>;
  /** Returns the newest revision. */
  revision(): Promise<Revision>;
  /** Returns the newest revision that can be read without a question to other programs; may be behind. @default that of `revision` */
  cached?(): Revision;
  /** Returns the oldest readable revision. */
  compacted(): Promise<Revision>;
  /** Ends all watches and timers. */
  close(): void;
  /** Why the store cannot be used at present, for readiness; undefined if it can. @default it always can */
  problem?(): string | undefined;
  /** Asks a store elsewhere whether it answers, for `problem`. Resolves within two seconds. @default `problem` needs no question */
  probe?(): Promise<void>;
}

/** The requested revision is older than the retained history. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
  readonly asked: Revision;
  readonly compacted: Revision;

  constructor(asked: Revision, compacted: Revision) {
    super(`revision ${asked} has been compacted; the oldest that is remembered is ${compacted}`);
    this.asked = asked;
    this.compacted = compacted;
  }
}

/** The requested revision does not exist yet. */
export class FutureRevisionError extends Error {
  override readonly name = "FutureRevisionError";
  readonly current: Revision;

  constructor(asked: Revision, current: Revision) {
    super(`revision ${asked} is in the future; the newest is ${current}`);
    this.current = current;
  }
}

/** The store is full: it accepts reads and deletions only. The message is etcd's. */
export class SpaceExceededError extends Error {
  override readonly name = "SpaceExceededError";

  constructor() {
    super("etcdserver: mvcc: database space exceeded");
  }
}

/** etcd has refused a request for a reason of its own, such as the size of the object. The message is etcd's. */
export class StoreRefusedError extends Error {
  override readonly name = "StoreRefusedError";
}

/** The store cannot be used, and whether a write was saved is unknown. Begins with the message of an etcd that cannot answer. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  /** Whether nothing has answered at all. */
  readonly isSilent: boolean;

  constructor(why: string, { isSilent = false }: { readonly isSilent?: boolean } = {}) {
    super(`etcdserver: request timed out: ${why}`);
    this.isSilent = isSilent;
  }
}
