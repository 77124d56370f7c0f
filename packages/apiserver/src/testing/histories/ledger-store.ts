/**
 * A memory store that records its writes and delays its calls: each waits a few turns before it is executed and before it is
 * answered, so that requests interleave in every possible way.
 */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, Random } from "@drover/machinery";
import { MemoryStore } from "../../storage/memory-store.ts";
import type { MemoryStoreOptions } from "../../storage/memory-store.ts";
import type {
  ListOptions,
  PutOptions,
  ReadOptions,
  Revision,
  Store,
  StoreBatch,
  Stored,
  StoredPage,
  StoreWatch,
  WatchOptions,
  WriteOutcome,
} from "../../storage/store.ts";
import { historyKinds, versionOf } from "./history-kind.ts";
import type { History, Version, Write } from "./history.ts";

export interface Lateness {
  readonly random: Random;
  /** Maximum delay in turns, before and again after execution. */
  readonly turnsMax: number;
}

/** Guarantees: the ledger has every write since `begin`. */
export class LedgerStore implements Store {
  readonly #inner: MemoryStore;
  #lateness: Lateness | undefined;
  #writes: Write[] = [];

  constructor(options: MemoryStoreOptions) {
    this.#inner = new MemoryStore(options);
  }

  /** Starts a new ledger at a snapshot of this store. */
  begin(snapshot: ReturnType<MemoryStore["snapshot"]>, lateness: Lateness | undefined): void {
    this.#inner.restore(snapshot);
    this.#writes = [];
    this.#lateness = lateness;
  }

  snapshot(): ReturnType<MemoryStore["snapshot"]> {
    return this.#inner.snapshot();
  }

  /** The newest revision, without delay. */
  get newest(): Revision {
    return this.#inner.snapshot().revision;
  }

  /** By revision. */
  get writes(): readonly Write[] {
    return this.#writes.toSorted((a, b) => a.revision - b.revision);
  }

  /** Returns the existing objects of the kinds in histories. */
  async base(): Promise<History["base"]> {
    const versions = new Map<string, Version>();
    for (const { storagePrefix } of Object.values(historyKinds)) {
      for (const { key, value, modRevision } of (await this.#inner.list(storagePrefix)).items)
        versions.set(idOfKey(key), { revision: modRevision, content: contentOf(value) });
    }
    return { revision: this.newest, versions };
  }

  get(key: string, options?: ReadOptions): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }> {
    return this.#late(() => this.#inner.get(key, options));
  }

  list(prefix: string, options?: ListOptions): Promise<StoredPage> {
    return this.#late(() => this.#inner.list(prefix, options));
  }

  put(key: string, value: string, options: PutOptions): Promise<WriteOutcome<Stored>> {
    return this.#late(async () => {
      // The value read a turn earlier is the one that the put replaces, or else the put is refused; unless the object just expired.
      const before = options.expected === 0 ? undefined : (await this.#inner.get(key)).stored;
      const outcome = await this.#inner.put(key, value, options);
      if (outcome.written) this.#note(key, outcome.revision, before, value);
      return outcome;
    });
  }

  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>> {
    return this.#late(async () => {
      const outcome = await this.#inner.delete(key, expected);
      if (outcome.written) this.#note(key, outcome.revision, outcome.result, undefined);
      return outcome;
    });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    const watch = this.#inner.watch(prefix, options);
    const batches = this.#lateBatches(watch);
    return { [Symbol.asyncIterator]: () => batches, requestProgress: () => watch.requestProgress() };
  }

  compact(revision: Revision): Promise<void> {
    return this.#inner.compact(revision);
  }

  revision(): Promise<Revision> {
    return this.#late(() => this.#inner.revision());
  }

  compacted(): Promise<Revision> {
    return this.#inner.compacted();
  }

  close(): void {
    this.#inner.close();
  }

  #note(key: string, revision: Revision, before: Stored | undefined, value: string | undefined): void {
    const [replaced, after] = [before?.value, value].map((text) => (text === undefined ? undefined : contentOf(text)));
    this.#writes.push({ revision, id: idOfKey(key), before: replaced, after });
  }

  async *#lateBatches(watch: StoreWatch): AsyncGenerator<StoreBatch, void, undefined> {
    for await (const batch of watch) {
      await this.#turns();
      yield batch;
    }
  }

  async #late<T>(work: () => Promise<T>): Promise<T> {
    await this.#turns();
    try {
      return await work();
    } finally {
      await this.#turns();
    }
  }

  async #turns(): Promise<void> {
    if (this.#lateness === undefined) return;
    for (let left = this.#lateness.random.int(this.#lateness.turnsMax + 1); left > 0; left--) await Promise.resolve();
  }
}

/** "/registry/configmaps/blue/x" → "configmaps/blue/x" */
const idOfKey = (key: string): string => key.split("/").slice(-3).join("/");

function contentOf(value: string): JsonObject {
  const object = decodeJson(value);
  return versionOf(isJsonObject(object) ? object : {}).content;
}
