/**
 * A store on disk: the memory store in front, an append-only log behind it. Reads, lists and watches are those of the memory store.
 *
 *     put, delete → queue → group: decide → one frame → write, sync → apply to memory → answer
 *
 * While a group is synced, writes wait for the next one. Readers and watchers see durable writes only.
 */
import { assert, budget, countExceeded, errorText } from "@drover/machinery";
import type { Budget, Clock, Log } from "@drover/machinery";
import { MemoryStore } from "../memory-store.ts";
import type { MemoryStoreOptions } from "../memory-store.ts";
import { treeOf, treeValues } from "../sorted-tree.ts";
import { SpaceExceededError, StoreUnavailableError } from "../store.ts";
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
import { checkpointName, writeCheckpoint } from "./checkpoint.ts";
import { DataFolderError } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { DiskLog } from "./disk-log.ts";
import { frameHeaderBytes, sealFrame, seedOf } from "./frame.ts";
import { RecordWriter } from "./record.ts";
import type { DiskRecord, DiskStored } from "./record.ts";
import { createStore, hasStore, recover } from "./recovery.ts";
import type { Recovered } from "./recovery.ts";

/** Writes that wait for the disk. */
export const pendingWrites: Budget = budget({
  name: "apiserver/store-pending-writes",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "The write gets a 500, as from an etcd that does not answer; reads go on.",
});

export interface DiskStoreOptions extends Omit<MemoryStoreOptions, "firstRevision"> {
  readonly disk: Disk;
  readonly log: Log;
  /** Id of a new store: 32 hexadecimal digits. */
  readonly newStoreId: () => string;
  /** Size at which the log continues in a new file. @default 16 MiB */
  readonly segmentBytes?: number;
  /** New log data after which a checkpoint is written, or as much as the last checkpoint has, whichever is more. @default 64 MiB */
  readonly checkpointBytes?: number;
  /** Time after which a checkpoint is written if there are newer writes, so that deleted data leave the disk. @default 10 min */
  readonly checkpointMs?: number;
}

/** A write in the queue. */
interface PendingWrite {
  readonly key: string;
  /** Undefined deletes the key. */
  readonly value: string | undefined;
  readonly expected: Revision;
  readonly ttlMs: number | undefined;
  readonly resolve: (outcome: WriteOutcome<Stored>) => void;
  readonly reject: (error: unknown) => void;
}

/** A decision: the outcome, and the record to save if something is written. */
interface Decision {
  readonly write: PendingWrite;
  readonly outcome: WriteOutcome<Stored> | Error;
  readonly record: DiskRecord | undefined;
  /** Whether the outcome is based on another write of the group. */
  readonly isDependent: boolean;
}

/** Characters in one group; a larger write is a group of its own. */
const groupBytes = 4 * 2 ** 20;
const retryMs = 1000;
/** No sync takes so long on a disk that works. */
const slowMs = 10_000;

/** Guarantees what `Store` does, and: a write that was acknowledged survives a crash of the process, of the system and of the power. */
export class DiskStore implements Store {
  readonly #options: DiskStoreOptions;
  readonly #memory: MemoryStore;
  readonly #log: DiskLog;
  readonly #storeId: string;
  readonly #seed: number;
  readonly #clock: Clock;
  #queue: PendingWrite[] = [];
  #queuedBytes = 0;
  #draining: Promise<void> | undefined;
  /** Writes to the log, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #expiries = new Map<string, () => void>();
  #checkpoint: { revision: Revision; bytes: number };
  #checkpointing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Log data since the last checkpoint was begun. */
  #newBytes = 0;
  #groupSince: number | undefined;

  /** Opens the store of a folder, or creates one. Rejects with a `DataFolderError` for a damaged folder. */
  static async open(options: DiskStoreOptions): Promise<DiskStore> {
    const { disk } = options;
    const names = await disk.list();
    if (!hasStore(names)) {
      await refuseRemains(disk, names);
      await createStore(disk, { storeId: options.newStoreId(), revision: 1, values: [] });
    }
    const memory = new MemoryStore(options);
    const values: DiskStored[] = [];
    const recovered = await recover(disk, {
      onValues: (some) => {
        for (const value of some) values.push(value);
      },
      onCheckpoint: (revision) => {
        const bytes = values.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
        memory.restore({ revision, root: treeOf<Stored>(values), bytes, deaths: new Map() });
      },
      onRecord: ({ key, current }) => memory.apply(key, current),
    });
    const log = await openLog(options, recovered);
    for (const name of recovered.leftovers) await disk.remove(name);
    return new DiskStore(options, memory, log, recovered);
  }

  private constructor(options: DiskStoreOptions, memory: MemoryStore, log: DiskLog, recovered: Recovered) {
    this.#options = options;
    this.#memory = memory;
    this.#log = log;
    this.#clock = options.clock;
    this.#storeId = recovered.storeId;
    this.#seed = seedOf(options.disk, recovered.storeId);
    this.#checkpoint = { revision: recovered.checkpointRevision, bytes: recovered.checkpointBytes };
    this.#newBytes = log.bytes;
    for (const stored of treeValues(memory.snapshot().root)) this.#expire(stored.key, stored);
    this.#startTimer();
  }

  get(key: string, options?: ReadOptions): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }> {
    return this.#memory.get(key, options);
  }

  list(prefix: string, options?: ListOptions): Promise<StoredPage> {
    return this.#memory.list(prefix, options);
  }

  /** Rejects with a `SpaceExceededError` also when the disk is full, and with a `StoreUnavailableError` when the outcome is unknown. */
  put(key: string, value: string, { expected, ttlMs }: PutOptions): Promise<WriteOutcome<Stored>> {
    return this.#enqueue({ key, value, expected, ttlMs });
  }

  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>> {
    return this.#enqueue({ key, value: undefined, expected, ttlMs: undefined });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    return this.#memory.watch(prefix, options);
  }

  /** Drops history in memory. After a restart, what the log still has can be read again. */
  compact(revision: Revision): Promise<void> {
    return this.#memory.compact(revision);
  }

  revision(): Promise<Revision> {
    return this.#memory.revision();
  }

  compacted(): Promise<Revision> {
    return this.#memory.compacted();
  }

  problem(): string | undefined {
    if (this.#log.problem !== undefined) return `the data folder cannot be written: ${this.#log.problem}; restart the server`;
    const waitedMs = this.#groupSince === undefined ? 0 : this.#clock.monotonic() - this.#groupSince;
    return waitedMs < slowMs ? undefined : `a write to the data folder has taken ${Math.floor(waitedMs / 1000)} s so far`;
  }

  /** Size of the files. */
  get diskBytes(): number {
    return this.#checkpoint.bytes + this.#log.bytes;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer?.();
    for (const cancel of this.#expiries.values()) cancel();
    this.#expiries.clear();
    this.#memory.close();
  }

  /** Closes the store, and resolves when pending writes are saved and all files are closed. */
  async end(): Promise<void> {
    this.close();
    await this.#draining;
    await this.#checkpointing;
    await this.#exclusive(() => this.#log.close(this.#memory.bounds().newest));
  }

  /** Writes a checkpoint of the oldest retained revision and removes the log before it, so that watches can resume after a restart. */
  checkpoint(): Promise<void> {
    return (this.#checkpointing ??= this.#writeCheckpoint().finally(() => (this.#checkpointing = undefined)));
  }

  #enqueue(write: Omit<PendingWrite, "resolve" | "reject">): Promise<WriteOutcome<Stored>> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError("the store is closed"));
    const bytes = sizeOf(write);
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > pendingWrites.limit) {
      if (this.#options.metrics !== undefined) countExceeded(this.#options.metrics, pendingWrites);
      return Promise.reject(new StoreUnavailableError("too many writes wait for the disk"));
    }
    this.#queuedBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...write, resolve, reject });
      // A turn later, so that the writes of one turn are one group.
      this.#draining ??= Promise.resolve().then(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) await this.#exclusive(() => this.#commit(this.#takeGroup()));
    this.#draining = undefined;
    if (!this.#isClosed && this.#newBytes > Math.max(this.#options.checkpointBytes ?? 64 * 2 ** 20, this.#checkpoint.bytes))
      void this.checkpoint();
    this.#startTimer();
  }

  #takeGroup(): readonly PendingWrite[] {
    let [count, bytes] = [0, 0];
    for (const write of this.#queue) {
      bytes += sizeOf(write);
      if (count > 0 && bytes > groupBytes) break;
      count++;
    }
    const group = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    for (const write of group) this.#queuedBytes -= sizeOf(write);
    return group;
  }

  async #commit(group: readonly PendingWrite[]): Promise<void> {
    const decisions = this.#decide(group);
    const records = decisions.flatMap(({ record }) => (record === undefined ? [] : [record]));
    let failure: unknown;
    if (records.length > 0) {
      this.#groupSince = this.#clock.monotonic();
      try {
        await this.#save(records);
      } catch (error) {
        failure = error;
      }
      this.#groupSince = undefined;
    }
    for (const { write, outcome, record, isDependent } of decisions) {
      if (outcome instanceof Error) write.reject(outcome);
      else if (failure !== undefined && (record !== undefined || isDependent)) write.reject(failure);
      else {
        if (record !== undefined) {
          this.#memory.apply(record.key, record.current);
          this.#expire(record.key, record.current);
        }
        write.resolve(outcome);
      }
    }
  }

  /** Decides about the writes of a group in their order, each after those before it. */
  #decide(group: readonly PendingWrite[]): readonly Decision[] {
    const changed = new Map<string, DiskStored | undefined>();
    let revision = this.#memory.bounds().newest;
    let added = 0;
    return group.map((write) => {
      const { key, value, expected, ttlMs } = write;
      const isDependent = changed.has(key);
      const found = isDependent ? changed.get(key) : this.#memory.peek(key);
      if ((found?.modRevision ?? 0) !== expected || (value === undefined && found === undefined))
        return { write, outcome: { written: false, found }, record: undefined, isDependent };
      const growth = (value === undefined ? 0 : key.length + value.length) - (found === undefined ? 0 : key.length + found.value.length);
      if (growth > 0 && !this.#memory.accepts(added + growth))
        return { write, outcome: new SpaceExceededError(), record: undefined, isDependent };
      added += growth;
      revision++;
      const current = value === undefined ? undefined : this.#stored(key, value, { found, revision, ttlMs });
      changed.set(key, current);
      const result = current ?? found;
      assert(result !== undefined, "a deletion without a value is refused above");
      return { write, outcome: { written: true, revision, result }, record: { key, revision, current }, isDependent };
    });
  }

  #stored(
    key: string,
    value: string,
    { found, revision, ttlMs }: { readonly found: Stored | undefined; readonly revision: Revision; readonly ttlMs: number | undefined },
  ): DiskStored {
    const stored = { key, value, createRevision: found?.createRevision ?? revision, modRevision: revision };
    return ttlMs === undefined ? stored : { ...stored, expiresAt: this.#clock.now() + ttlMs };
  }

  async #save(records: readonly DiskRecord[]): Promise<void> {
    const { newest } = this.#memory.bounds();
    const writer = new RecordWriter(frameHeaderBytes);
    for (const record of records) writer.add(record);
    const frame = sealFrame(this.#options.disk, writer.bytes(), {
      kind: "records",
      count: records.length,
      position: newest,
      seed: this.#seed,
    });
    await this.#log.append(frame, newest);
    this.#newBytes += frame.length;
  }

  /** Deletes a key with a TTL when its time has come. */
  #expire(key: string, current: DiskStored | undefined): void {
    this.#expiries.get(key)?.();
    this.#expiries.delete(key);
    if (current?.expiresAt === undefined) return;
    const wait = (ms: number): void => {
      const cancel = this.#clock.timer(ms, () => {
        this.delete(key, current.modRevision).catch(() => {
          if (!this.#isClosed && this.#memory.peek(key) === current) wait(retryMs);
        });
      });
      this.#expiries.set(key, cancel);
    };
    wait(current.expiresAt - this.#clock.now());
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #startTimer(): void {
    if (this.#isClosed || this.#cancelTimer !== undefined || this.#memory.bounds().newest === this.#checkpoint.revision) return;
    this.#cancelTimer = this.#clock.timer(this.#options.checkpointMs ?? 600_000, () => {
      this.#cancelTimer = undefined;
      void this.checkpoint().then(() => this.#startTimer());
    });
  }

  async #writeCheckpoint(): Promise<void> {
    const { disk, log } = this.#options;
    this.#newBytes = 0;
    try {
      const { oldest: revision, oldestRoot } = this.#memory.bounds();
      if (revision <= this.#checkpoint.revision || this.#log.problem !== undefined) return;
      await this.#exclusive(() => this.#log.rotate(this.#memory.bounds().newest));
      const bytes = await writeCheckpoint(disk, { storeId: this.#storeId, revision, values: treeValues(oldestRoot) });
      const former = this.#checkpoint.revision;
      this.#checkpoint = { revision, bytes };
      await disk.remove(checkpointName(former));
      await this.#exclusive(() => this.#log.dropThrough(revision));
    } catch (error) {
      // The log has everything; the next attempt may find more space.
      log.warn("checkpoint of the data folder failed", { error: errorText(error) });
    }
  }
}

const sizeOf = ({ key, value }: Pick<PendingWrite, "key" | "value">): number => key.length + (value?.length ?? 0);

/** Cuts an interrupted write from the end of the log and opens it for writing. */
async function openLog(options: DiskStoreOptions, { storeId, segments, tornBytes }: Recovered): Promise<DiskLog> {
  const { disk, log, segmentBytes = 16 * 2 ** 20 } = options;
  const last = segments.at(-1);
  if (last === undefined) throw new DataFolderError("the folder has no log segment");
  const file = await disk.open(last.name, "write");
  if (tornBytes > 0) {
    await file.truncate(last.size);
    log.info("removed an interrupted write from the log", { file: last.name, bytes: tornBytes });
  }
  // Also what was read from the cache of a process that crashed between a write and its sync is durable before it is served.
  await file.sync();
  return new DiskLog({ disk, storeId, seed: seedOf(disk, storeId), segmentBytes, older: segments.slice(0, -1), last, file });
}

/** A log without a checkpoint is not overwritten by a new store. */
async function refuseRemains(disk: Disk, names: readonly string[]): Promise<void> {
  for (const name of names.filter((some) => some.endsWith(".log"))) {
    const file = await disk.open(name, "read");
    const size = await file.size();
    await file.close();
    if (size > 64) throw new DataFolderError(`the checkpoint of the folder is missing, but ${name} has data; restore it from a copy`);
  }
}
