/**
 * Where the server keeps its objects: text values by key; each write gets the next revision of the whole store.
 *
 *     verbs → ObjectStore → Store;   Store.watch → WatchLines
 *
 * A subset of etcd's interface. `MemoryStore` is the only implementation here; store-contract.test.ts is what any other has to pass.
 */

/** One for each write, over all keys; never two writes with the same, never one missing. The empty store is at revision 1, as etcd is. */
export type Revision = number;

/** What a key holds. */
export interface Stored {
  readonly key: string;
  readonly value: string;
  /** The write that made it; a key that was deleted and put again has a new one. */
  readonly createRevision: Revision;
  /** The write that put this value. */
  readonly modRevision: Revision;
}

/** One write. */
export interface StoreEvent {
  readonly revision: Revision;
  readonly key: string;
  /** What the key holds now; undefined when it was deleted. */
  readonly current: Stored | undefined;
  /** What it held before; undefined when it was not there. */
  readonly previous: Stored | undefined;
}

/** Writes that happened together, possibly none. */
export interface StoreBatch {
  readonly events: readonly StoreEvent[];
  /** Every write under the prefix up to this revision has been told. */
  readonly revision: Revision;
}

/** A watch that is on. */
export interface StoreWatch extends AsyncIterable<StoreBatch> {
  /** Asks for a batch soon, be it an empty one, that tells how far the watch has come. */
  requestProgress(): void;
}

export interface ReadOptions {
  /** As it was at this revision. @default as it is now */
  readonly revision?: Revision;
}

export interface ListOptions extends ReadOptions {
  /** Only keys behind this one. @default from the first on */
  readonly after?: string;
  /** No more than this many. @default all */
  readonly limit?: number;
}

/** What a prefix holds, in the order of the keys. */
export interface StoredPage {
  readonly items: readonly Stored[];
  /** The revision this was true at. */
  readonly revision: Revision;
  /** How many keys there are behind the last item. */
  readonly remaining: number;
}

/** A write that went through, or what was there instead of what was expected. */
export type WriteOutcome<T> =
  | { readonly written: true; readonly revision: Revision; readonly result: T }
  | { readonly written: false; readonly found: Stored | undefined };

export interface PutOptions {
  /** Only if the key was last written at this revision; 0: only if it is not there. */
  readonly expected: Revision;
  /** Deletes the key by itself after this time, counted anew from each put. @default never */
  readonly ttlMs?: number;
}

export interface WatchOptions {
  /** The first write that is wanted. */
  readonly from: Revision;
  readonly signal: AbortSignal;
}

/**
 * Guarantees: revisions grow by one with each write and writes are seen in their order by everybody; a read without a revision sees every
 * write that was answered before it was asked; a page and its count are of one moment.
 */
export interface Store {
  get(key: string, options?: ReadOptions): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }>;
  /** Keys that begin with the prefix. Rejects with a `CompactedError` or a {@link FutureRevisionError}. */
  list(prefix: string, options?: ListOptions): Promise<StoredPage>;
  put(key: string, value: string, options: PutOptions): Promise<WriteOutcome<Stored>>;
  /** Only if the key was last written at `expected`; the result is what was deleted. */
  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>>;
  /**
   * Every write under a prefix from a revision on, those that happened together in one batch; ends with the signal. Rejects with a
   * `CompactedError` when writes that are wanted are forgotten, at the start or because the reader is too slow. Can be read once.
   */
  watch(prefix: string, options: WatchOptions): StoreWatch;
  /** Forgets what was before this revision: it can be read no more, nor watched from. */
  compact(revision: Revision): Promise<void>;
  /** The newest revision. */
  revision(): Promise<Revision>;
  /** The oldest revision that can still be read. */
  compacted(): Promise<Revision>;
  /** Ends every watch and every timer. */
  close(): void;
}

/** What was asked for is older than anything that is remembered. */
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

/** What was asked for has not happened yet. */
export class FutureRevisionError extends Error {
  override readonly name = "FutureRevisionError";
  readonly current: Revision;

  constructor(asked: Revision, current: Revision) {
    super(`revision ${asked} is in the future; the newest is ${current}`);
    this.current = current;
  }
}
