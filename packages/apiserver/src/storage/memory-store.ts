/** A store in memory. Each retained revision is an immutable tree; consecutive revisions share most of their nodes. */
import { budget, countExceeded } from "@drover/machinery";
import type { Budget, Clock, Metrics } from "@drover/machinery";
import { historyBytes, historyRevisions, historyTime, StoreLog } from "./store-log.ts";
import { treeDelete, treeGet, treeRange, treeRank, treeSet } from "./sorted-tree.ts";
import type { SortedTree } from "./sorted-tree.ts";
import { CompactedError, FutureRevisionError, SpaceExceededError } from "./store.ts";
import type {
  ListOptions,
  PutOptions,
  ReadOptions,
  Revision,
  Store,
  StoreEvent,
  Stored,
  StoredPage,
  StoreWatch,
  WatchOptions,
  WriteOutcome,
} from "./store.ts";

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Number of revisions that stay readable and watchable; older ones are compacted automatically. @default 10,000 */
  readonly historyLength?: number;
  /** Maximum size of these revisions, in characters of keys and values before and after each write. @default 128 MiB */
  readonly historyBytes?: number;
  /** How long revisions stay readable and watchable. @default 5 min */
  readonly historyMs?: number;
  /** Maximum size of the current keys and values, in characters; a put that exceeds it is rejected. @default 1 GiB */
  readonly quotaBytes?: number;
  /** Counts how often a limit was reached. @default not counted */
  readonly metrics?: Metrics;
  /** The revision of the empty store. @default 1 */
  readonly firstRevision?: Revision;
}

/** etcd's `--quota-backend-bytes`, for values in memory. */
export const dataQuota: Budget = budget({
  name: "apiserver/store-data",
  limit: 2 ** 30,
  unit: "bytes",
  atLimit: "A write that adds data gets a 500, as from a full etcd; reads and deletions go on. At most a quarter of the heap on Node.",
});

/** The state of a store at one revision; taking and restoring it is O(keys with a TTL). */
export interface StoreSnapshot {
  readonly revision: Revision;
  readonly root: SortedTree<Stored> | undefined;
  /** Characters of the keys and values. */
  readonly bytes: number;
  /** Expiry times of keys on the monotonic clock. */
  readonly deaths: ReadonlyMap<string, number>;
}

/** Guarantees what `Store` does; a write is visible and its event appended before the call returns its promise. */
export class MemoryStore implements Store {
  readonly #clock: Clock;
  readonly #log: StoreLog;
  readonly #deaths = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #quotaBytes: number;
  readonly #onFull: (budget: Budget) => void;
  #root: SortedTree<Stored> | undefined;
  #revision: Revision;
  /** Characters of the current keys and values. */
  #bytes = 0;

  constructor(options: MemoryStoreOptions) {
    const { clock, firstRevision = 1, quotaBytes = dataQuota.limit, metrics } = options;
    this.#clock = clock;
    this.#revision = firstRevision;
    this.#quotaBytes = quotaBytes;
    this.#onFull = (full) => metrics !== undefined && countExceeded(metrics, full);
    this.#log = new StoreLog({
      clock,
      historyLength: options.historyLength ?? historyRevisions.limit,
      historyBytes: options.historyBytes ?? historyBytes.limit,
      historyMs: options.historyMs ?? historyTime.limit,
      onFull: this.#onFull,
      root: undefined,
      revision: firstRevision,
    });
  }

  get(key: string, { revision }: ReadOptions = {}): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }> {
    return settled(() => ({ stored: treeGet(this.#rootAt(revision), key), revision: revision ?? this.#revision }));
  }

  list(prefix: string, { revision, after, limit = Infinity }: ListOptions = {}): Promise<StoredPage> {
    return settled(() => {
      const root = this.#rootAt(revision);
      const end = endOfPrefix(prefix);
      // The smallest key greater than `after`.
      const from = after === undefined ? prefix : `${after}\0`;
      const items = treeRange(root, from, end, limit);
      const behind = treeRank(root, end) - treeRank(root, from);
      return { items, revision: revision ?? this.#revision, remaining: behind - items.length };
    });
  }

  put(key: string, value: string, { expected, ttlMs }: PutOptions): Promise<WriteOutcome<Stored>> {
    const found = treeGet(this.#root, key);
    if ((found?.modRevision ?? 0) !== expected) return Promise.resolve({ written: false, found });
    const added = value.length - (found === undefined ? -key.length : found.value.length);
    if (!this.accepts(added)) return Promise.reject(new SpaceExceededError());
    this.#bytes += added;
    const revision = ++this.#revision;
    const stored: Stored = { key, value, createRevision: found?.createRevision ?? revision, modRevision: revision };
    this.#root = treeSet(this.#root, key, stored);
    this.#setDeath(key, ttlMs === undefined ? undefined : this.#clock.monotonic() + ttlMs);
    this.#tell({ revision, key, current: stored, previous: found });
    return Promise.resolve({ written: true, revision, result: stored });
  }

  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>> {
    const found = treeGet(this.#root, key);
    if (found === undefined || found.modRevision !== expected) return Promise.resolve({ written: false, found });
    const revision = this.#remove(found);
    return Promise.resolve({ written: true, revision, result: found });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    return this.#log.watch(prefix, options);
  }

  compact(revision: Revision): Promise<void> {
    return settled(() => {
      if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
      if (revision <= this.#log.compacted) throw new CompactedError(revision, this.#log.compacted);
      this.#log.compact(revision);
    });
  }

  revision(): Promise<Revision> {
    return Promise.resolve(this.#revision);
  }

  /** The newest revision. */
  get newest(): Revision {
    return this.#revision;
  }

  compacted(): Promise<Revision> {
    return Promise.resolve(this.#log.compacted);
  }

  snapshot(): StoreSnapshot {
    return {
      revision: this.#revision,
      root: this.#root,
      bytes: this.#bytes,
      deaths: new Map([...this.#deaths].map(([key, { at }]) => [key, at])),
    };
  }

  /**
   * Restores a snapshot of this or another store. Watches end. With `isLost`, the writes since then are lost as after a restore from
   * backup: watches fail with a `CompactedError`, as do reads at those revisions until there are new writes with them.
   */
  restore({ revision, root, deaths, bytes }: StoreSnapshot, options: { readonly isLost?: boolean } = {}): void {
    this.#root = root;
    this.#revision = revision;
    this.#bytes = bytes;
    for (const key of this.#deaths.keys()) this.#setDeath(key, undefined);
    for (const [key, at] of deaths) this.#setDeath(key, at);
    this.#log.restart(root, revision, options);
  }

  /** The current value of a key, for a store that decides about writes itself. */
  peek(key: string): Stored | undefined {
    return treeGet(this.#root, key);
  }

  /** Whether so many more characters fit into the quota; counts if not. */
  accepts(added: number): boolean {
    if (added <= 0 || this.#bytes + added <= this.#quotaBytes) return true;
    this.#onFull(dataQuota);
    return false;
  }

  /**
   * Applies the next write, which another store has decided about and saved; undefined deletes the key. `revision` is at least that of the
   * write before.
   */
  apply(key: string, current: Stored | undefined, revision: Revision = this.#revision + 1): void {
    const previous = treeGet(this.#root, key);
    this.#revision = revision;
    this.#bytes +=
      (current === undefined ? 0 : key.length + current.value.length) - (previous === undefined ? 0 : key.length + previous.value.length);
    this.#root = current === undefined ? treeDelete(this.#root, key) : treeSet(this.#root, key, current);
    this.#tell({ revision, key, current, previous });
  }

  /** There were no writes up to this revision since the newest one. */
  advance(revision: Revision): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#log.advance(revision);
  }

  /** The newest revision, and the state at the oldest retained one. */
  bounds(): { readonly newest: Revision; readonly oldest: Revision; readonly oldestRoot: SortedTree<Stored> | undefined } {
    return { newest: this.#revision, oldest: this.#log.compacted, oldestRoot: this.#rootAt(this.#log.compacted) };
  }

  close(): void {
    for (const key of this.#deaths.keys()) this.#setDeath(key, undefined);
    this.#log.close();
  }

  #rootAt(revision: Revision | undefined): SortedTree<Stored> | undefined {
    if (revision === undefined || revision === this.#revision) return this.#root;
    if (this.#log.isLost(revision)) throw new CompactedError(revision, this.#log.compacted);
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    return this.#log.rootAt(revision);
  }

  #remove(found: Stored): Revision {
    const revision = ++this.#revision;
    this.#root = treeDelete(this.#root, found.key);
    this.#bytes -= found.key.length + found.value.length;
    this.#setDeath(found.key, undefined);
    this.#tell({ revision, key: found.key, current: undefined, previous: found });
    return revision;
  }

  #tell(event: StoreEvent): void {
    this.#log.append(event, this.#root);
  }

  #setDeath(key: string, at: number | undefined): void {
    this.#deaths.get(key)?.cancel();
    this.#deaths.delete(key);
    if (at === undefined) return;
    const cancel = this.#clock.timer(at - this.#clock.monotonic(), () => {
      const found = treeGet(this.#root, key);
      if (found !== undefined) this.#remove(found);
    });
    this.#deaths.set(key, { at, cancel });
  }
}

/** Returns the smallest key greater than every key with this prefix. */
function endOfPrefix(prefix: string): string {
  return prefix === "" ? "\uffff" : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

function settled<T>(read: () => T): Promise<T> {
  try {
    return Promise.resolve(read());
  } catch (error) {
    return Promise.reject(error);
  }
}
