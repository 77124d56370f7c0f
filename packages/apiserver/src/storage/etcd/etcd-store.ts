/**
 * A store on etcd, in kube-apiserver's layout. The memory store in front has everything and answers; etcd decides about writes.
 *
 *     put, delete → transaction on the revision of the key → etcd → watch → EtcdMirror → MemoryStore → get, list, watch
 *
 * Several servers, kube-apiservers among them, can use one etcd.
 */
import { errorText, isInstanceOf } from "@drover/machinery";
import type { Clock, Log, Metrics } from "@drover/machinery";
import { dataQuota, MemoryStore } from "../memory-store.ts";
import { CompactedError, FutureRevisionError, SpaceExceededError, StoreRefusedError, StoreUnavailableError } from "../store.ts";
import type {
  ListOptions,
  PutOptions,
  ReadOptions,
  Revision,
  Store,
  Stored,
  StoredPage,
  StoreWatch,
  WatchOptions,
  WriteOutcome,
} from "../store.ts";
import { isDecided, UnknownOutcomeError } from "./etcd-client.ts";
import type { EtcdClient } from "./etcd-client.ts";
import { compactionInterval, runCompactor } from "./etcd-compactor.ts";
import { EtcdLeases } from "./etcd-leases.ts";
import type { EtcdWrite, TxnResponse } from "./etcd-messages.ts";
import { EtcdMirror } from "./etcd-mirror.ts";
import { EtcdProbe } from "./etcd-probe.ts";
import { EtcdError, grpcCode } from "./etcd-transport.ts";
import { isSameValue } from "./etcd-values.ts";
import type { EtcdRoots, EtcdValues } from "./etcd-values.ts";

export interface EtcdStoreOptions {
  /** The store closes it. */
  readonly client: EtcdClient;
  readonly values: EtcdValues;
  readonly roots: EtcdRoots;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum size of the current keys and values, in characters. @default 1 GiB */
  readonly quotaBytes?: number;
  /** Number of revisions in memory that can be watched; older ones are read from etcd. @default 10,000 */
  readonly historyLength?: number;
  /** Maximum size of the history in memory, in characters. @default 128 MiB */
  readonly historyBytes?: number;
  /** Counts how often a limit was reached. @default not counted */
  readonly metrics?: Metrics;
  /** Time between compactions of etcd. @default 5 min */
  readonly compactionMs?: number;
}

/**
 * Guarantees what `Store` does, except that revisions are etcd's: they increase with every write, but other prefixes use some too.
 * A write is applied at most once. It rejects with a `StoreUnavailableError` when etcd does not answer and its outcome is unknown.
 */
export class EtcdStore implements Store {
  readonly #options: EtcdStoreOptions;
  readonly #client: EtcdClient;
  readonly #memory: MemoryStore;
  readonly #mirror: EtcdMirror;
  readonly #leases: EtcdLeases;
  readonly #probe: EtcdProbe;
  readonly #closing = new AbortController();

  /** Reads all objects. Rejects with a `StoreUnavailableError` when etcd does not answer. */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const memory = new MemoryStore(options);
    const mirror = new EtcdMirror({ ...options, memory, quotaBytes: options.quotaBytes ?? dataQuota.limit });
    try {
      await mirror.load();
    } catch (error) {
      memory.close();
      options.client.close();
      throw unavailable(options.client, error);
    }
    return new EtcdStore(options, memory, mirror);
  }

  private constructor(options: EtcdStoreOptions, memory: MemoryStore, mirror: EtcdMirror) {
    this.#options = options;
    this.#client = options.client;
    this.#memory = memory;
    this.#mirror = mirror;
    this.#leases = new EtcdLeases(options.client, options.clock);
    this.#probe = new EtcdProbe(options.client, options.clock, `${options.roots.stored}/health`);
    const { signal } = this.#closing;
    void mirror.run(signal);
    const { clock, log, compactionMs = compactionInterval.limit } = options;
    void runCompactor(options.client, { clock, log, intervalMs: compactionMs, signal });
  }

  async get(key: string, { revision }: ReadOptions = {}): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }> {
    const isOlder = await this.#prepare(revision);
    if (!isOlder || revision === undefined) {
      this.#mirror.checkKey(key);
      return await this.#memory.get(key, revision === undefined ? {} : { revision });
    }
    const { values } = await this.#read(revision, () => this.#client.range({ key: this.#mirror.storedKey(key), revision }));
    const [value] = values;
    return { stored: value === undefined ? undefined : this.#mirror.convert(value), revision };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<StoredPage> {
    const { revision, after, limit = Infinity } = options;
    const isOlder = await this.#prepare(revision);
    this.#mirror.checkPrefix(prefix);
    if (!isOlder || revision === undefined) return await this.#memory.list(prefix, options);
    return await this.#read(revision, async () => {
      const items: Stored[] = [];
      const pages = this.#mirror.pages(this.#mirror.storedKey(prefix), {
        revision,
        ...(after === undefined ? {} : { after: this.#mirror.storedKey(after) }),
      });
      for await (const { values, count } of pages) {
        for (const [index, value] of values.entries()) {
          const stored = this.#mirror.convert(value);
          if (stored !== undefined) items.push(stored);
          if (items.length >= limit) return { items, revision, remaining: count - index - 1 };
        }
      }
      return { items, revision, remaining: 0 };
    });
  }

  async put(key: string, value: string, { expected, ttlMs, kind }: PutOptions): Promise<WriteOutcome<Stored>> {
    const before = this.#memory.peek(key);
    const added = value.length - (before === undefined ? -key.length : before.value.length);
    if (!this.#memory.accepts(added)) throw new SpaceExceededError();
    const bytes = this.#options.values.encode(key, value, kind);
    const done = this.#mirror.expect(key, { value: bytes, text: value });
    try {
      const { isWritten, revision, found } = await this.#putTxn(key, bytes, expected, ttlMs);
      if (!isWritten) return { written: false, found: found === undefined ? undefined : this.#mirror.convert(found) };
      const seen = await this.#seen(key, revision);
      const createRevision = before?.modRevision === expected ? before.createRevision : (seen?.createRevision ?? revision);
      const result =
        seen?.modRevision === revision
          ? seen
          : { key, value, createRevision: expected === 0 ? revision : createRevision, modRevision: revision };
      return { written: true, revision, result };
    } finally {
      done();
    }
  }

  async delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>> {
    const known = this.#memory.peek(key);
    // A condition on revision 0 holds for a missing key, and nothing would be deleted.
    if (expected === 0) return { written: false, found: (await this.get(key)).stored };
    const deleted = known?.modRevision === expected ? known : await this.#valueAt(key, expected);
    if (deleted === undefined) return { written: false, found: (await this.get(key)).stored };
    const { isWritten, revision, found } = await this.#txn(key, expected, { kind: "delete", key: this.#mirror.storedKey(key) });
    if (!isWritten) return { written: false, found: found === undefined ? undefined : this.#mirror.convert(found) };
    await this.#seen(key, revision);
    return { written: true, revision, result: deleted };
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    return this.#memory.watch(prefix, options);
  }

  async compact(revision: Revision): Promise<void> {
    await this.#read(revision, () => this.#client.compact(revision));
    if (revision > (await this.#memory.compacted()) && revision <= (await this.#memory.revision())) await this.#memory.compact(revision);
  }

  async revision(): Promise<Revision> {
    await this.#prepare(undefined);
    return await this.#memory.revision();
  }

  cached(): Revision {
    return this.#memory.newest;
  }

  compacted(): Promise<Revision> {
    return this.#memory.compacted();
  }

  problem(): string | undefined {
    return this.#mirror.problem() ?? this.#probe.problem;
  }

  async probe(): Promise<void> {
    await this.#probe.run();
  }

  close(): void {
    this.#closing.abort(new Error("the store is closed"));
    this.#memory.close();
    this.#client.close();
  }

  /** Makes a read of the latest revision current. Returns whether a revision is only in etcd. */
  async #prepare(revision: Revision | undefined): Promise<boolean> {
    if (this.#closing.signal.aborted) throw new StoreUnavailableError("the store is closed");
    if (revision !== undefined && revision <= (await this.#memory.revision())) return revision < (await this.#memory.compacted());
    try {
      await this.#mirror.fresh();
    } catch (error) {
      throw unavailable(this.#client, error);
    }
    return false;
  }

  /** Reads from etcd, with its errors as those of a store. */
  async #read<T>(revision: Revision, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (isInstanceOf(error, EtcdError) && error.code === grpcCode.outOfRange) {
        if (error.message.includes("compacted")) throw new CompactedError(revision, Math.max(revision + 1, await this.#memory.compacted()));
        throw new FutureRevisionError(revision, await this.#memory.revision());
      }
      throw unavailable(this.#client, error);
    }
  }

  /** The value of a key that was written at this revision; undefined if it was not, or if that is forgotten. */
  async #valueAt(key: string, revision: Revision): Promise<Stored | undefined> {
    const { stored } = await this.get(key);
    return stored?.modRevision === revision ? stored : undefined;
  }

  /** A lease that etcd does not know any more is replaced once: etcd has refused the write. */
  async #putTxn(key: string, value: Uint8Array, expected: Revision, ttlMs: number | undefined): Promise<TxnResponse> {
    const write = { kind: "put", key: this.#mirror.storedKey(key), value } as const;
    if (ttlMs === undefined) return await this.#txn(key, expected, write);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#txn(key, expected, { ...write, lease: await this.#leases.leaseFor(ttlMs) });
      } catch (error) {
        if (attempt > 1 || !isInstanceOf(error, LostLeaseError)) throw unavailable(this.#client, error);
        this.#leases.forget();
      }
    }
  }

  async #txn(key: string, expected: Revision, write: EtcdWrite): Promise<TxnResponse> {
    try {
      return await this.#client.txn({ condition: { key: write.key, field: "modRevision", equals: expected }, write });
    } catch (error) {
      if (isInstanceOf(error, UnknownOutcomeError)) return await this.#resolved(key, expected, write, error);
      if (isInstanceOf(error, EtcdError) && error.message.includes("requested lease not found")) throw new LostLeaseError(error.message);
      if (isInstanceOf(error, EtcdError) && error.message.includes("database space exceeded")) throw new SpaceExceededError();
      throw unavailable(this.#client, error);
    }
  }

  /**
   * A put whose answer was lost is known to be carried out if its value is there: objects have unique ids and times. In all other cases the
   * write may still be on its way in etcd, or may have been carried out and overwritten, so it is not repeated.
   */
  async #resolved(key: string, expected: Revision, write: EtcdWrite, cause: UnknownOutcomeError): Promise<TxnResponse> {
    try {
      const [found] = write.kind === "put" ? (await this.#client.range({ key: write.key })).values : [];
      if (write.kind === "put" && found !== undefined && found.modRevision !== expected && isSameValue(found.value, write.value))
        return { isWritten: true, revision: found.modRevision, found: undefined };
    } catch (error) {
      this.#options.log.warn("cannot find out whether etcd has carried out a write", { key, error });
    }
    const isSilent = isSilence(cause.cause);
    throw new StoreUnavailableError(`${cause.message}; whether ${key} was written is unknown`, { isSilent });
  }

  /** Waits until readers in this process see the write; returns the value there. The write counts even if that takes too long. */
  async #seen(key: string, revision: Revision): Promise<Stored | undefined> {
    try {
      await this.#mirror.reached(revision, { isRequested: false });
      return (await this.#memory.get(key, { revision })).stored;
    } catch (error) {
      if (!isInstanceOf(error, CompactedError))
        this.#options.log.warn("the watch on etcd has not delivered a write", { key, revision, error });
      return undefined;
    }
  }
}

/** Whether not even etcd has answered. */
const isSilence = (error: unknown): boolean => isInstanceOf(error, EtcdError) && !error.message.startsWith("etcdserver:");

/** The lease of a write is gone. */
class LostLeaseError extends Error {}

/** The errors of etcd as those of a store. */
function unavailable(client: EtcdClient, error: unknown): unknown {
  if (!isInstanceOf(error, EtcdError) && !isInstanceOf(error, UnknownOutcomeError)) return error;
  if (isInstanceOf(error, EtcdError) && isDecided(error)) return new StoreRefusedError(error.message, { cause: error });
  return new StoreUnavailableError(`etcd at ${client.endpoints}: ${errorText(error)}`, { isSilent: isSilence(error) });
}
