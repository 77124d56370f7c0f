/**
 * A store that records its writes and delays its calls: each waits a few turns before it is executed and before it is answered, so
 * that requests interleave in every possible way.
 */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, Random } from "@drover/machinery";
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
import { objectsIn } from "./history-ground.ts";
import type { HistoryGround } from "./history-ground.ts";
import { versionOf } from "./history-kind.ts";
import type { History, Version, Write } from "./history.ts";

export interface Lateness {
  readonly random: Random;
  /** Maximum delay in turns, before and again after execution. */
  readonly turnsMax: number;
}

/** Guarantees: the ledger has every acknowledged write since `begin`. */
export class LedgerStore implements Store {
  readonly #ground: HistoryGround;
  readonly #inner: Store;
  readonly #calls = new Set<Promise<unknown>>();
  /** Values by their revision. */
  readonly #values = new Map<Revision, string>();
  #lateness: Lateness | undefined;
  #writes: Write[] = [];
  #newest: Revision = 0;
  #forgotten: Revision = 0;

  constructor(ground: HistoryGround) {
    this.#ground = ground;
    this.#inner = ground.store;
  }

  /** Starts a new ledger at the current revision of the store. */
  async begin(lateness: Lateness | undefined): Promise<History["base"]> {
    this.#writes = [];
    this.#values.clear();
    const versions = new Map<string, Version>();
    for (const { key, value, modRevision } of await objectsIn(this.#inner)) {
      versions.set(idOfKey(key), { revision: modRevision, content: contentOf(value) });
      this.#values.set(modRevision, value);
    }
    this.#newest = await this.#inner.revision();
    this.#forgotten = await this.#inner.compacted();
    this.#lateness = lateness;
    return { revision: this.#newest, versions };
  }

  /** The newest revision that the store has shown in any way, without delay. */
  get newest(): Revision {
    return this.#newest;
  }

  /** Whether calls take more than microtasks. */
  get isDistant(): boolean {
    return this.#ground.isDistant;
  }

  /** By revision. */
  get writes(): readonly Write[] {
    return this.#writes.toSorted((a, b) => a.revision - b.revision);
  }

  /** Returns the revision below which nothing can be read. */
  async forgotten(): Promise<Revision> {
    return this.#ground.keepsLonger ? this.#forgotten : await this.#inner.compacted();
  }

  /** Resolves when the current calls are answered; undefined if there are none. */
  answered(): Promise<unknown> | undefined {
    return this.#calls.size === 0 ? undefined : Promise.allSettled(this.#calls);
  }

  get(key: string, options?: ReadOptions): Promise<{ readonly stored: Stored | undefined; readonly revision: Revision }> {
    return this.#late(async () => this.#shown(await this.#inner.get(key, options)));
  }

  list(prefix: string, options?: ListOptions): Promise<StoredPage> {
    return this.#late(async () => this.#shown(await this.#inner.list(prefix, options)));
  }

  put(key: string, value: string, options: PutOptions): Promise<WriteOutcome<Stored>> {
    return this.#late(async () => {
      const outcome = await this.#inner.put(key, value, options);
      if (outcome.written) this.#note(key, outcome.revision, this.#values.get(options.expected), value);
      return outcome;
    });
  }

  delete(key: string, expected: Revision): Promise<WriteOutcome<Stored>> {
    return this.#late(async () => {
      const outcome = await this.#inner.delete(key, expected);
      if (outcome.written) this.#note(key, outcome.revision, outcome.result.value, undefined);
      return outcome;
    });
  }

  watch(prefix: string, options: WatchOptions): StoreWatch {
    const watch = this.#inner.watch(prefix, options);
    const batches = this.#lateBatches(watch);
    return { [Symbol.asyncIterator]: () => batches, requestProgress: () => watch.requestProgress() };
  }

  async compact(revision: Revision): Promise<void> {
    await this.#answering(this.#inner.compact(revision));
    this.#forgotten = Math.max(this.#forgotten, revision);
  }

  revision(): Promise<Revision> {
    return this.#late(async () => this.#shown({ revision: await this.#inner.revision() }).revision);
  }

  compacted(): Promise<Revision> {
    return this.#inner.compacted();
  }

  close(): void {
    this.#inner.close();
  }

  #note(key: string, revision: Revision, before: string | undefined, value: string | undefined): void {
    this.#shown({ revision });
    if (value !== undefined) this.#values.set(revision, value);
    const [replaced, after] = [before, value].map((text) => (text === undefined ? undefined : contentOf(text)));
    this.#writes.push({ revision, id: idOfKey(key), before: replaced, after });
  }

  async *#lateBatches(watch: StoreWatch): AsyncGenerator<StoreBatch, void, undefined> {
    for await (const batch of watch) {
      this.#shown(batch);
      await this.#turns();
      yield batch;
    }
  }

  async #late<T>(work: () => Promise<T>): Promise<T> {
    await this.#turns();
    try {
      return await this.#answering(work());
    } finally {
      await this.#turns();
    }
  }

  async #answering<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  #shown<T extends { readonly revision: Revision }>(result: T): T {
    this.#newest = Math.max(this.#newest, result.revision);
    return result;
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
