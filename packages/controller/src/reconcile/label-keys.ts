/**
 * Where the keys of a controller are with shards by label, and when a key that has moved may start here.
 *
 *     steps of the cache → KeyMoves;   moved away with a run → the run ends → publish;   lists of leases → keys that may start now
 *
 * The shard of a key follows from the cache alone: the value of the label, or the key itself without the label or the object. Caches of
 * replicas differ in age, so a replica publishes what it has seen and waits for the others (`clearance.ts`).
 */
import type { FollowedStore, StoreFollower, StoreStep } from "@drover/cache";
import { isSafeRequest } from "@drover/client";
import type { TransportWrapper } from "@drover/client";
import { budget, getOwn, isComparableResourceVersion } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import type { Clearance } from "../shards/clearance.ts";
import { busyName, KeyMoves } from "../shards/key-moves.ts";
import { newer, reaches } from "../shards/seen-record.ts";
import type { SeenRecord } from "../shards/seen-record.ts";
import type { SeenExchange, SeenReader, Shards } from "../shards/shards.ts";
import type { KeysSubject } from "../sources/source.ts";
import type { ShardRun } from "./shard-run.ts";

export interface LabelKeysOptions {
  readonly controller: string;
  readonly shards: Pick<Shards, "shardOf">;
  readonly seen: SeenExchange;
  readonly clock: Clock;
  /** How long a run of a key that moves may continue, in milliseconds; then it is aborted. */
  readonly drainMs: number;
  /** How long an aborted run may take to end before it is abandoned. */
  readonly abortMs: number;
  readonly active: () => Iterable<ShardRun>;
  /** A key has moved to this shard, without a change that its source would request. */
  readonly arrived: (key: ObjectKey, shard: number) => void;
  /** A key that had to wait may start. */
  readonly cleared: (key: ObjectKey) => void;
}

/** Keys named in one publication: a lease has room for more, but all replicas read it every second. */
const busyMax = 64;
const writesMax = budget({
  name: "controller/unanswered-writes",
  limit: 10_000,
  unit: "items",
  atLimit: "With shards by label, this replica publishes no progress for a lease duration, so that keys that have moved wait.",
  uncounted: "Nothing is refused or lost, keys only wait.",
});

/** Writes of one key that may still reach the server. */
interface Writes {
  open: number;
  /** Until when one with an unknown outcome may arrive, on the monotonic clock. */
  untilMs: number;
}

/** Guarantees: what `read` returns is true until the next step of the cache and longer: nothing starts on an older state. */
export class LabelKeys implements SeenReader {
  readonly controller: string;
  readonly #options: LabelKeysOptions;
  readonly #moves = new KeyMoves();
  readonly #writes = new Map<ObjectKey, Writes>();
  /** Keys that moved while they had a run or a write, with the end of the run's time. */
  readonly #leaving = new Map<ObjectKey, () => void>();
  readonly #waiting = new Set<ObjectKey>();
  readonly #remove: () => void;
  #subject: { readonly subject: KeysSubject; readonly store: FollowedStore } | undefined;
  #last: SeenRecord | undefined;
  #known = "";
  #frozenUntilMs = -Infinity;
  #problem: Error | undefined;

  constructor(options: LabelKeysOptions) {
    this.controller = options.controller;
    this.#options = options;
    this.#remove = options.seen.add(this);
  }

  get problem(): Error | undefined {
    return this.#problem;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0 || this.#moves.isSettling;
  }

  /** Reads the labels of keys from this cache, until the returned function is called. Throws if it cannot. */
  follow(subject: KeysSubject): () => void {
    const { controller } = this;
    if (this.#subject !== undefined && this.#subject.subject.informer.origin !== subject.informer.origin)
      throw new TypeError(
        `controller ${controller}: shards by label need one cache of the objects of its keys, and this controller watches ${subject.kind} beside ${this.#subject.subject.kind} as its own; use a controller for each`,
      );
    if (this.#subject !== undefined) return () => undefined;
    if (subject.isTransformed)
      throw new TypeError(
        `controller ${controller}: shards by label need the labels of the server, so its cache of ${subject.kind} can have no transform`,
      );
    const follower: StoreFollower = {
      stored: (step) => this.#stored(step),
      replaced: (keys, version) => this.#replaced(keys, version),
    };
    const store = subject.informer.follow?.(follower);
    if (store === undefined)
      throw new TypeError(
        `controller ${controller}: shards by label need one watch of ${subject.kind}; watch one namespace or all, not a list of namespaces`,
      );
    this.#subject = { subject, store };
    if (store.resourceVersion !== "") this.#replaced(subject.informer.keys(), store.resourceVersion);
    return () => {
      store.end();
      this.#subject = undefined;
    };
  }

  /** Returns the shard of a key, by the cache of now. */
  shardOf(key: ObjectKey): number {
    const { shards, seen } = this.#options;
    const labels = this.#subject?.subject.informer.getVersion(key)?.labels;
    return shards.shardOf(key, labels === undefined ? undefined : getOwn(labels, seen.label));
  }

  /** Whether a run of the key may start in its shard; if not, `cleared` is called later. */
  mayStart(key: ObjectKey, shard: number): boolean {
    const informer = this.#subject?.subject.informer;
    const place = { shard, isPresent: informer?.getVersion(key) !== undefined };
    const isClear =
      this.#problem === undefined &&
      informer?.hasSynced === true &&
      this.#isAhead() &&
      !this.#leaving.has(key) &&
      this.#moves.mayStart(key, place);
    if (isClear) this.#waiting.delete(key);
    else {
      this.#waiting.add(key);
      this.#options.seen.wake();
    }
    return isClear;
  }

  /** The key is not ours any more. */
  forget(key: ObjectKey): void {
    this.#waiting.delete(key);
  }

  acquired(shard: number): void {
    const { seen } = this.#options;
    this.#moves.acquired(shard, seen.nextList);
    seen.wake();
  }

  released(shard: number): void {
    this.#moves.released(shard);
  }

  /** A run of the key has ended. */
  runEnded(key: ObjectKey): void {
    if (!this.#leaving.has(key)) return;
    this.#leaving.get(key)?.();
    this.#options.seen.wake();
  }

  /** Counts the writes of a key until they are answered. Goes behind the fence, where nothing ends a request before its transport does. */
  wrapper(key: ObjectKey): TransportWrapper {
    return (next) => async (request) => {
      if (isSafeRequest(request)) return next(request);
      // A transport that does not call onSent may send at once.
      let isSent = true;
      const writes = this.#writesOf(key);
      writes.open++;
      try {
        return await next({
          ...request,
          onSent: (sent) => {
            isSent = sent === "maybe";
            request.onSent?.(sent);
          },
        });
      } catch (error) {
        if (isSent) writes.untilMs = this.#options.clock.monotonic() + this.#options.seen.leaseDurationMs;
        throw error;
      } finally {
        writes.open--;
        if (writes.open === 0 && writes.untilMs === -Infinity) this.#writes.delete(key);
        if (this.#leaving.has(key)) this.#options.seen.wake();
      }
    };
  }

  read(): SeenRecord | undefined {
    const nowMs = this.#options.clock.monotonic();
    for (const [key, { open, untilMs }] of this.#writes) if (open === 0 && untilMs <= nowMs) this.#writes.delete(key);
    const running = new Set(Array.from(this.#options.active(), ({ key }) => key));
    for (const [key, cancel] of this.#leaving) {
      if (running.has(key) || this.#writes.has(key)) continue;
      cancel();
      this.#leaving.delete(key);
      if (this.#waiting.has(key)) this.#options.cleared(key);
    }
    if (this.#subject === undefined || !this.#subject.subject.informer.hasSynced) return this.#last;
    this.#known = this.#subject.store.resourceVersion;
    if (!isComparableResourceVersion(this.#known)) this.#opaque(this.#known);
    if (!this.#isAhead() || this.#leaving.size > busyMax || nowMs < this.#frozenUntilMs) return this.#last;
    this.#last = this.#moves.read(this.#known, [...this.#leaving.keys()].map(busyName));
    return this.#last;
  }

  settle(clearance: Clearance): boolean {
    const known = this.#subject?.store.resourceVersion ?? "";
    this.#moves.settle(clearance, known);
    for (const key of this.#waiting)
      if (this.#moves.mayStart(key, { shard: this.shardOf(key), isPresent: this.#subject?.subject.informer.getVersion(key) !== undefined }))
        this.#options.cleared(key);
    return reaches(known, clearance.needed);
  }

  close(): void {
    this.#remove();
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
    this.#waiting.clear();
    this.#subject?.store.end();
    this.#subject = undefined;
  }

  /** Whether the cache has what was published: another informer of the same objects may start again behind it. */
  #isAhead(): boolean {
    return reaches(this.#subject?.store.resourceVersion ?? "", this.#last?.seen ?? "");
  }

  #stored({ key, before, after, resourceVersion }: StoreStep): void {
    const { shards, seen } = this.#options;
    if (resourceVersion === "") this.#moves.removed(this.#subject?.store.resourceVersion ?? "");
    else if (!isComparableResourceVersion(resourceVersion)) return this.#opaque(resourceVersion);
    this.#known = newer(this.#known, resourceVersion);
    const placeOf = (version: StoreStep["after"]): number =>
      shards.shardOf(key, version === undefined ? undefined : getOwn(version.labels, seen.label));
    const [from, to] = [placeOf(before), placeOf(after)];
    // Another object of the same name: the deletion of the first was not seen.
    const isOther = before !== undefined && after !== undefined && before.uid !== after.uid;
    if (from === to && !isOther) return this.#moves.saw(resourceVersion);
    if (resourceVersion !== "") this.#moves.moved(key, resourceVersion);
    this.#leave(key, to, true);
    seen.wake();
    if (before !== undefined && after !== undefined) this.#options.arrived(key, to);
  }

  #replaced(keys: readonly ObjectKey[], version: string): void {
    if (!isComparableResourceVersion(version)) return this.#opaque(version);
    if (!reaches(version, this.#known))
      this.#problem ??= new Error(
        `controller ${this.controller}: the objects of the server were at version ${this.#known} and are at ${version}: it was restored from a backup; this replica ends, because its caches cannot be compared with those of others`,
      );
    this.#known = version;
    this.#moves.removed(version);
    for (const key of keys) {
      const stored = this.#subject?.subject.informer.getVersion(key);
      if (stored !== undefined) this.#moves.moved(key, stored.resourceVersion);
      this.#leave(key, this.shardOf(key), false);
      if (stored !== undefined) this.#options.arrived(key, this.shardOf(key));
    }
    this.#options.seen.wake();
  }

  /** A run of the key belongs to its shard of before. One whose key may have moved and come back need not end early. */
  #leave(key: ObjectKey, to: number, mustEnd: boolean): void {
    const { clock, drainMs, abortMs, controller } = this.#options;
    const run = [...this.#options.active()].find((one) => one.key === key);
    if (run === undefined && !this.#writes.has(key)) return;
    if (this.#leaving.has(key) && !mustEnd) return;
    this.#leaving.get(key)?.();
    this.#leaving.set(key, () => undefined);
    if (run === undefined || !mustEnd) return;
    const reason = new DOMException(`${key} of controller ${controller} has moved to shard ${to}`, "AbortError");
    run.drain(reason);
    let cancel = clock.timer(drainMs, () => {
      run.abort(reason);
      cancel = clock.timer(abortMs, () => run.abandon(reason));
    });
    this.#leaving.set(key, () => cancel());
  }

  #writesOf(key: ObjectKey): Writes {
    const known = this.#writes.get(key);
    if (known !== undefined) return known;
    const writes: Writes = { open: 0, untilMs: -Infinity };
    // Beyond the limit it is not remembered whose write is on its way, so no key is reported as ended.
    if (this.#writes.size < writesMax.limit) this.#writes.set(key, writes);
    else this.#frozenUntilMs = this.#options.clock.monotonic() + this.#options.seen.leaseDurationMs;
    return writes;
  }

  #opaque(version: string): void {
    this.#problem ??= new Error(
      `controller ${this.controller}: shards by label need resource versions that are numbers, and the server sent ${JSON.stringify(version)}; use shards.by "hash" or "namespace"`,
    );
  }
}
