/**
 * A copy in memory of all keys below a prefix of etcd: one list, then one watch.
 *
 *     EtcdClient → EtcdMirror → MemoryStore;   EtcdStore → fresh, reached → progress requests to etcd
 */
import { amountText, assert, budget, countExceeded, errorText, isInstanceOf, sleep } from "@drover/machinery";
import type { Budget, Clock, Log, Metrics } from "@drover/machinery";
import { treeOf } from "../sorted-tree.ts";
import type { MemoryStore } from "../memory-store.ts";
import { StoreUnavailableError } from "../store.ts";
import type { Revision, Stored } from "../store.ts";
import type { EtcdClient } from "./etcd-client.ts";
import { decodeWatch, encodeWatchProgress, endOfPrefix } from "./etcd-messages.ts";
import type { EtcdEvent, EtcdValue, RangeResponse } from "./etcd-messages.ts";
import { EtcdError, grpcCode } from "./etcd-transport.ts";
import type { EtcdStream } from "./etcd-transport.ts";
import { isSameValue, servedKey, storedKey } from "./etcd-values.ts";
import type { EtcdRoots, EtcdValues } from "./etcd-values.ts";
import { unreadableKeys, UnreadableKeys } from "./unreadable-keys.ts";

export interface EtcdMirrorOptions {
  readonly client: EtcdClient;
  readonly memory: MemoryStore;
  readonly values: EtcdValues;
  readonly roots: EtcdRoots;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum size of the keys and values, in characters. */
  readonly quotaBytes: number;
  /** Counts how often a limit was reached. @default not counted */
  readonly metrics?: Metrics;
}

/** A read that waits for the mirror. */
const catchUpTime: Budget = budget({
  name: "apiserver/etcd-catch-up-time",
  limit: 10_000,
  unit: "milliseconds",
  atLimit: "The read gets a 500: the watch on etcd is interrupted or too slow.",
  uncounted: "The request that waits gets the error.",
});
/** Keys in one response; a page that is too large is read again with half as many. */
const pageKeys = 500;
/** kube-apiserver's. A watch that is not yet in sync does not answer, so the request is repeated. */
const progressMs = 100;
/** A watch that leaves so many requests unanswered is opened again on another endpoint. */
const silentRequests = 50;
const reconnectMs: readonly number[] = [100, 200, 500, 1000, 2000];

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly cancel: () => void;
}

/** A write of this server on its way: its text is known. */
interface OwnWrite {
  readonly value: Uint8Array;
  readonly text: string;
}

/** A value in etcd that this server cannot read. */
class UnreadableObjectError extends Error {}

/** The writes after the last one are not in etcd's history. */
class WatchLostError extends Error {}

/**
 * Guarantees: `memory` has the state of etcd at its revision, and every write after the first list in order; all writes of one revision
 * appear together. After an interruption that etcd's history does not cover, it lists again, which ends all watches of `memory`.
 */
export class EtcdMirror {
  readonly #options: EtcdMirrorOptions;
  readonly #prefix: string;
  readonly #unreadable = new UnreadableKeys();
  readonly #own = new Map<string, Set<OwnWrite>>();
  readonly #waiters = new Set<Waiter>();
  #revision: Revision = 0;
  #stream: { readonly stream: EtcdStream; readonly ending: AbortController } | undefined;
  #unanswered = 0;
  #cancelProgress: (() => void) | undefined;
  #asking: Promise<void> | undefined;
  #askingNext: Promise<void> | undefined;
  #failure: { readonly since: number; readonly why: string } | undefined;

  constructor(options: EtcdMirrorOptions) {
    this.#options = options;
    this.#prefix = `${options.roots.stored}/`;
  }

  /** Reads everything. */
  async load(): Promise<void> {
    const { memory, quotaBytes, client } = this.#options;
    const values: Stored[] = [];
    let bytes = 0;
    let revision: Revision = 0;
    this.#unreadable.clear();
    for await (const page of this.pages(this.#prefix)) {
      revision ||= page.revision;
      for (const value of page.values) {
        const stored = this.#read(value);
        if (stored === undefined) continue;
        bytes += stored.key.length + stored.value.length;
        if (bytes > quotaBytes)
          throw new StoreUnavailableError(
            `the objects in etcd at ${client.endpoints} are larger than ${amountText(quotaBytes, "bytes")}, the memory of this server for objects`,
          );
        values.push(stored);
      }
    }
    values.sort((a, b) => (a.key < b.key ? -1 : 1));
    // Lower than before if etcd was restored from a backup.
    const isLost = revision < this.#revision;
    if (isLost) this.#options.log.warn("etcd has lost writes, as after a restore from a backup", { before: this.#revision, now: revision });
    memory.restore({ revision, root: treeOf<Stored>(values), bytes, deaths: new Map() }, { isLost });
    this.#revision = revision;
    this.#moveTo(revision);
  }

  /** Reads the keys with a prefix in etcd, at one revision, in pages of bounded size. `after` is a key in etcd. */
  async *pages(prefix: string, given: { readonly revision?: Revision; readonly after?: string } = {}): AsyncGenerator<RangeResponse, void> {
    const end = endOfPrefix(prefix);
    let { revision } = given;
    let key = given.after === undefined ? prefix : `${given.after}\0`;
    for (let limit = pageKeys; ;) {
      let page: RangeResponse;
      try {
        page = await this.#options.client.range({ key, end, limit, ...(revision === undefined ? {} : { revision }) });
      } catch (error) {
        if (limit === 1 || !isTooLarge(error)) throw error;
        limit = Math.ceil(limit / 2);
        continue;
      }
      revision ??= page.revision;
      yield { ...page, revision };
      const last = page.values.at(-1);
      if (last === undefined || page.values.length >= page.count) return;
      key = `${last.key}\0`;
    }
  }

  /** Returns a value of etcd as the server has it; undefined for a key that is no object. Throws if it cannot be read. */
  convert({ key: stored, value, createRevision, modRevision }: EtcdValue): Stored | undefined {
    const { values, roots } = this.#options;
    const key = servedKey(roots, stored);
    try {
      const text = this.#ownText(key, value) ?? values.decode(key, value);
      if (text === undefined) return undefined;
      const current = { key, value: text, createRevision, modRevision };
      return values.isStale?.(key, value) === true ? { ...current, isStale: true } : current;
    } catch (error) {
      throw new UnreadableObjectError(`unable to decode the object ${key} in etcd: ${errorText(error)}`, { cause: error });
    }
  }

  /** Like `convert` for the current value of a key, but remembers one that cannot be read and returns undefined. */
  #read(value: EtcdValue): Stored | undefined {
    const key = servedKey(this.#options.roots, value.key);
    try {
      const stored = this.convert(value);
      this.#unreadable.delete(key);
      return stored;
    } catch (error) {
      const { log, metrics } = this.#options;
      if (this.#unreadable.add(key, errorText(error))) log.error("cannot read an object in etcd", { key: value.key, error });
      else if (metrics !== undefined) countExceeded(metrics, unreadableKeys);
      return undefined;
    }
  }

  /** Throws if the value of this key cannot be read. */
  checkKey(key: string): void {
    const why = this.#options.memory.peek(key) === undefined ? this.#unreadable.ofKey(key) : undefined;
    if (why !== undefined) throw new UnreadableObjectError(why);
  }

  /** Throws if a value with this prefix cannot be read: an answer without it would be wrong. */
  checkPrefix(prefix: string): void {
    const why = this.#unreadable.ofPrefix(prefix);
    if (why !== undefined) throw new UnreadableObjectError(why);
  }

  /** Remembers the text of a write until the returned function is called. */
  expect(key: string, write: OwnWrite): () => void {
    const writes = this.#own.get(key) ?? new Set();
    this.#own.set(key, writes.add(write));
    return () => {
      writes.delete(write);
      if (writes.size === 0 && this.#own.get(key) === writes) this.#own.delete(key);
    };
  }

  #ownText(key: string, value: Uint8Array): string | undefined {
    for (const own of this.#own.get(key) ?? []) if (isSameValue(own.value, value)) return own.text;
    return undefined;
  }

  /** Resolves when the mirror has every write that etcd acknowledged to anyone before this call. */
  async fresh(): Promise<void> {
    // A question that was sent earlier may have an older answer; all that come meanwhile share the next one.
    if (this.#asking === undefined) return await this.#ask();
    const before = this.#asking;
    await (this.#askingNext ??= before
      .catch(() => undefined)
      .then(() => {
        this.#askingNext = undefined;
        return this.#ask();
      }));
  }

  #ask(): Promise<void> {
    const asked = this.#catchUp().finally(() => {
      if (this.#asking === asked) this.#asking = undefined;
    });
    this.#asking = asked;
    return asked;
  }

  async #catchUp(): Promise<void> {
    try {
      await this.reached(await this.#newest(), { isRequested: true });
    } catch (error) {
      if (!isInstanceOf(error, WatchLostError)) throw error;
      this.#stream?.ending.abort(error);
      throw new StoreUnavailableError("etcd has lost writes, as after a restore from a backup; the server reads its objects again");
    }
  }

  /** Returns the revision of etcd. Rejects with a `WatchLostError` if the mirror is at a later one. */
  async #newest(): Promise<Revision> {
    const before = this.#revision;
    const { revision } = await this.#options.client.range({ key: this.#prefix, isCountOnly: true });
    if (revision < before) throw new WatchLostError(`etcd was at revision ${before} and is at ${revision} now`);
    return revision;
  }

  /** Resolves when the mirror has reached a revision. Rejects with a `StoreUnavailableError` when that takes too long. */
  async reached(revision: Revision, { isRequested }: { readonly isRequested: boolean }): Promise<void> {
    if (this.#revision >= revision) return;
    const { clock, client } = this.#options;
    const reached = new Promise<void>((resolve, reject) => {
      const cancel = clock.timer(catchUpTime.limit, () => {
        this.#waiters.delete(waiter);
        reject(new StoreUnavailableError(`the watch on etcd at ${client.endpoints} has not reached revision ${revision}`));
      });
      const waiter = { revision, resolve, reject, cancel };
      this.#waiters.add(waiter);
    });
    if (isRequested) this.#requestProgress();
    this.#cancelProgress ??= clock.timer(progressMs, () => this.#repeatRequest());
    await reached;
  }

  /** Follows etcd until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#options;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#follow(signal, () => {
          failures = 0;
          this.#failure = undefined;
        });
      } catch (error) {
        if (signal.aborted) break;
        this.#failure ??= { since: clock.monotonic(), why: errorText(error) };
        log.warn("watch on etcd interrupted", { endpoints: client.endpoints, error, revision: this.#revision });
        if (isInstanceOf(error, WatchLostError) && (await this.#reloaded())) continue;
        client.switchEndpoint();
        const delayMs = reconnectMs[Math.min(failures++, reconnectMs.length - 1)] ?? 0;
        await sleep(clock, delayMs, { signal }).catch(() => undefined);
      }
    }
    this.#cancelProgress?.();
    for (const { reject, cancel } of this.#waiters) {
      cancel();
      reject(new StoreUnavailableError("the store is closed"));
    }
    this.#waiters.clear();
  }

  /** Why the mirror does not follow etcd; undefined if it does, or did a moment ago. */
  problem(): string | undefined {
    if (this.#failure === undefined || this.#options.clock.monotonic() - this.#failure.since < catchUpTime.limit) return undefined;
    return `etcd at ${this.#options.client.endpoints} cannot be followed: ${this.#failure.why}`;
  }

  async #reloaded(): Promise<boolean> {
    try {
      await this.load();
      return true;
    } catch (error) {
      this.#options.log.warn("cannot list the objects in etcd again", { error });
      return false;
    }
  }

  async #follow(signal: AbortSignal, onAnswer: () => void): Promise<void> {
    const { client } = this.#options;
    const ending = new AbortController();
    // The watch of an etcd that was restored from a backup would wait for the revision silently.
    await this.#newest();
    const stream = await client.watch(this.#prefix, this.#revision + 1, AbortSignal.any([signal, ending.signal]));
    this.#stream = { stream, ending };
    this.#unanswered = 0;
    let events: EtcdEvent[] = [];
    try {
      for await (const message of stream) {
        const response = decodeWatch(message);
        this.#unanswered = 0;
        if (response.isCanceled) {
          if (response.compactRevision > 0) throw new WatchLostError(`revision ${this.#revision + 1} is compacted`);
          throw new EtcdError(grpcCode.unavailable, response.cancelReason || "etcd ended the watch", { isSent: true });
        }
        onAnswer();
        if (response.isCreated) continue;
        events = events.length === 0 ? [...response.events] : [...events, ...response.events];
        if (response.isFragment) events = this.#applyWhole(events);
        else {
          const isProgress = events.length === 0;
          this.#apply(events);
          events = [];
          if (isProgress) this.#moveTo(response.revision);
        }
      }
    } finally {
      this.#stream = undefined;
      ending.abort();
    }
    throw new EtcdError(grpcCode.unavailable, "etcd ended the watch", { isSent: true });
  }

  /** Applies all but the last revision, of which the next fragment may have more; returns the rest. */
  #applyWhole(events: readonly EtcdEvent[]): EtcdEvent[] {
    const last = events.at(-1)?.value.modRevision;
    this.#apply(events.filter(({ value }) => value.modRevision !== last));
    return events.filter(({ value }) => value.modRevision === last);
  }

  /** Applies whole revisions in one turn, so that no reader sees a part of one. */
  #apply(events: readonly EtcdEvent[]): void {
    const { memory, roots } = this.#options;
    for (const { isDeletion, value } of events) {
      const revision = value.modRevision;
      assert(revision >= this.#revision, `etcd sent revision ${revision} after ${this.#revision}`);
      const key = servedKey(roots, value.key);
      const current = isDeletion ? undefined : this.#read(value);
      if (isDeletion) this.#unreadable.delete(key);
      if (current !== undefined || memory.peek(key) !== undefined) memory.apply(key, current, revision);
      this.#revision = revision;
    }
    this.#moveTo(this.#revision);
  }

  #moveTo(revision: Revision): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#options.memory.advance(this.#revision);
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.#revision) continue;
      this.#waiters.delete(waiter);
      waiter.cancel();
      waiter.resolve();
    }
    if (this.#waiters.size > 0) return;
    this.#cancelProgress?.();
    this.#cancelProgress = undefined;
  }

  #requestProgress(): void {
    this.#stream?.stream.send(encodeWatchProgress());
  }

  #repeatRequest(): void {
    this.#cancelProgress = undefined;
    if (this.#waiters.size === 0) return;
    if (++this.#unanswered > silentRequests) this.#stream?.ending.abort(new Error("etcd does not answer on the watch"));
    else this.#requestProgress();
    this.#cancelProgress = this.#options.clock.timer(progressMs, () => this.#repeatRequest());
  }

  /** The key of an object in etcd. */
  storedKey(key: string): string {
    return storedKey(this.#options.roots, key);
  }
}

const isTooLarge = (error: unknown): boolean =>
  isInstanceOf(error, EtcdError) && error.code === grpcCode.resourceExhausted && error.message.includes("larger than max");
