/**
 * Core of an informer: processes deltas in order, updates the store, then notifies the handlers.
 *
 *     DeltaQueue → InformerCore.consume → InformerStore → HandlerSet
 *
 * It does not know where deltas come from: informer.ts connects a reflector.
 */
import { compareResourceVersions, Latch, TurnKeeper } from "@drover/machinery";
import type { GroupVersionResource, KubeObject, ObjectKey, Runtime } from "@drover/machinery";
import type { ByteShelf } from "../source/byte-shelf.ts";
import { DeltaQueue } from "../store/delta-queue.ts";
import type { Delta } from "../store/delta-queue.ts";
import { HandlerSet } from "../handlers/handler-set.ts";
import { informerMetrics } from "./informer-metrics.ts";
import type { InformerMetrics } from "./informer-metrics.ts";
import { InformerStore } from "../store/informer-store.ts";
import { LineLimit } from "../handlers/line-limit.ts";
import type { StoreChange } from "../store/change.ts";
import type { FollowedStore, StoreFollower, StoreStep } from "../store/store-follower.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { versionNumber } from "../reflector/reflector-metrics.ts";
import { transformed } from "../source/transformed-version.ts";
import type { Transform } from "../source/transformed-version.ts";

export interface InformerCoreOptions<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name in logs and metrics. */
  readonly name: string;
  /** Resource for the labels of client-go's metrics. */
  readonly resource: GroupVersionResource;
  readonly transform: Transform<T> | undefined;
  /** Allocator of the bytes of the versions, if they share one. */
  readonly shelf: ByteShelf | undefined;
  /** Maximum queued deltas before backpressure stops the reflector. */
  readonly queueLengthMax: number;
  /** Maximum duration of a slice of work in milliseconds. */
  readonly sliceMs: number;
}

/** Number of changes delivered between two reads of the clock. */
const changesPerLook = 32;
/** Number of versions moved per delta during a compaction: it ends long before the next one is necessary. */
const movesPerDelta = 8;

/** Objects that a restored cache receives before it has synced existed before, as those of a list. */
const initial = { isInInitialList: true } as const;
const later = { isInInitialList: false } as const;

/** Guarantees: the store contains what a handler received, or something newer; readers see each replace completely or not at all. */
export class InformerCore<T extends KubeObject> {
  readonly queue: DeltaQueue<T>;
  readonly store: InformerStore<T>;
  readonly handlers: HandlerSet<T>;
  readonly synced: Latch = new Latch();
  readonly #options: InformerCoreOptions<T>;
  readonly #metrics: InformerMetrics;
  readonly #turns: TurnKeeper;
  readonly #lines: LineLimit;
  readonly #followers = new Set<StoreFollower<T>>();
  #resourceVersion = "";
  #contentId = 0;
  /** Versions that the current compaction has yet to move. */
  #toMove: Iterator<ObjectVersion<T>, unknown> | undefined;

  constructor(options: InformerCoreOptions<T>) {
    const {
      runtime: { clock, log, metrics },
      name,
      resource,
      queueLengthMax,
      sliceMs,
    } = options;
    this.#options = options;
    this.#metrics = informerMetrics(metrics, name, resource);
    this.#turns = new TurnKeeper({ clock, sliceMs });
    this.#lines = new LineLimit({ clock, linesPerSecond: 10 });
    this.queue = new DeltaQueue({ clock, lengthMax: queueLengthMax });
    this.handlers = new HandlerSet(options);
    this.store = new InformerStore({
      onIgnored: (why) => this.#metrics[why].add(),
      onIndexError: ({ index, key, error }) => {
        this.#metrics.indexErrors.add();
        this.#lines.line((leftOut) =>
          log.warn("index function failed, the object is missing from this index", {
            informer: name,
            index,
            key,
            code: "DRV0508",
            error,
            leftOut,
          }),
        );
      },
    });
  }

  /** Resource version up to which the store is complete; empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Differs after the content was replaced. */
  get contentId(): number {
    return this.#contentId;
  }

  /** Calls the follower with every step of the store from now on. */
  follow(follower: StoreFollower<T>): FollowedStore {
    // A follower may be added twice.
    const own: StoreFollower<T> = {
      stored: (step) => follower.stored(step),
      replaced: (keys, version) => follower.replaced(keys, version),
    };
    this.#followers.add(own);
    const version = (): string => this.#resourceVersion;
    return {
      get resourceVersion() {
        return version();
      },
      end: () => void this.#followers.delete(own),
    };
  }

  /** Deletes an object whose deletion the watch missed; see `InformerStore.vanish`. */
  vanish(seen: ObjectVersion<T>): void {
    const changes = this.store.vanish(seen);
    if (changes.length > 0) this.#followed({ key: seen.key, before: seen, resourceVersion: "" });
    this.tell(changes);
  }

  /** Processes deltas until `signal` aborts, then throws its reason. */
  async consume(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const delta = this.queue.take();
        if (delta === undefined) {
          this.#metrics.queued.set(0);
          await this.queue.filled(signal);
          continue;
        }
        if (delta.type === "replace") await this.#replace(delta, signal);
        else this.#apply(delta);
        this.#tidy();
        this.#metrics.latency.observe((this.#options.runtime.clock.monotonic() - delta.atMs) / 1000);
        const turn = this.#turns.due(signal);
        if (turn === undefined) continue;
        this.#metrics.queued.set(this.queue.length);
        await turn;
      }
    } finally {
      this.#turns.close();
      this.queue.close();
    }
  }

  /** Records and logs an object that failed to decode. */
  unreadable(key: ObjectKey, error: unknown): void {
    this.#poison(key, error, "object cannot be decoded, leaving it out");
  }

  /** Returns what the store keeps of a version: the transformed one; undefined if the transform fails. */
  stored(version: ObjectVersion<T>): ObjectVersion<T> | undefined {
    return this.#transformed(version);
  }

  /** Delivers changes to the current handlers. A handler added meanwhile starts with the stored state, which contains them. */
  tell(changes: readonly StoreChange<T>[]): void {
    const audience = this.handlers.audience;
    for (const change of changes) this.handlers.tell(change, audience);
  }

  #apply(delta: Exclude<Delta<T>, { readonly type: "replace" }>): void {
    switch (delta.type) {
      case "work":
        return delta.work();
      case "bookmark":
        return this.#moveTo(delta.resourceVersion);
      case "caught-up":
        return this.#sync();
      case "upsert": {
        const version = this.#transformed(delta.version);
        if (version !== undefined)
          this.#changed(delta.version, () => this.store.upsert(version, this.synced.isOpen ? later : initial), version);
        return this.#moveTo(delta.version.resourceVersion);
      }
      case "remove": {
        const last = this.#transformed(delta.version) ?? this.store.versions.get(delta.version.key) ?? delta.version;
        this.#changed(delta.version, () => this.store.remove(last));
        return this.#moveTo(delta.version.resourceVersion);
      }
    }
  }

  /** Changes the store, then calls followers and handlers. */
  #changed({ key, resourceVersion }: ObjectVersion<T>, change: () => readonly StoreChange<T>[], after?: ObjectVersion<T>): void {
    const before = this.#followers.size === 0 ? undefined : this.store.versions.get(key);
    const changes = change();
    if (changes.length > 0) this.#followed({ key, before, after, resourceVersion });
    this.tell(changes);
  }

  #followed(step: StoreStep<T>): void {
    for (const follower of this.#followers) follower.stored(step);
  }

  async #replace(delta: Extract<Delta<T>, { readonly type: "replace" }>, signal: AbortSignal): Promise<void> {
    const { versions, resourceVersion, isNewEpoch, isRestored } = delta;
    const [good, keep] = await this.#transformAll(versions, signal);
    const steps = this.store.replace(good, { isInInitialList: !this.synced.isOpen, keep, isNewEpoch });
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      const turn = this.#turns.due(signal);
      if (turn === undefined) continue;
      try {
        await turn;
      } catch (error) {
        steps.return([]);
        throw error;
      }
    }
    this.#resourceVersion = "";
    this.#contentId++;
    this.#moveTo(resourceVersion);
    // The changes can be read once, and are created when they are read.
    const changes = this.#followers.size === 0 ? step.value : [...step.value];
    if (this.#followers.size > 0) {
      const keys = [...changes].map(({ key }) => key);
      for (const follower of this.#followers) follower.replaced(keys, resourceVersion);
    }
    this.#toMove = undefined;
    this.#options.shelf?.endTidying();
    // Handlers added from here on start with the new state and must not receive the changes that led to it.
    const audience = this.handlers.audience;
    let told = 0;
    for (const change of changes) {
      this.handlers.tell(change, audience);
      const turn = ++told % changesPerLook === 0 ? this.#turns.due(signal) : undefined;
      if (turn !== undefined) await turn;
    }
    if (!isRestored) this.#sync();
  }

  #sync(): void {
    if (this.synced.isOpen) return;
    this.synced.open();
    this.handlers.markSynced();
  }

  /** Moves the bytes of some versions during a compaction. */
  #tidy(): void {
    const { shelf } = this.#options;
    if (shelf === undefined) return;
    if (this.#toMove === undefined) {
      if (!shelf.isWorn) return;
      shelf.beginTidying();
      this.#toMove = this.store.versions.values();
    }
    for (let count = 0; count < movesPerDelta; count++) {
      const step = this.#toMove.next();
      if (step.done === true) {
        this.#toMove = undefined;
        return shelf.endTidying();
      }
      step.value.repack?.();
    }
  }

  /** Applies the transform in slices of its own, because it parses every object. Objects on which it fails keep their cached state. */
  async #transformAll(
    versions: readonly ObjectVersion<T>[],
    signal: AbortSignal,
  ): Promise<readonly [readonly ObjectVersion<T>[], ReadonlySet<ObjectKey>]> {
    const failed = new Set<ObjectKey>();
    if (this.#options.transform === undefined) return [versions, failed];
    const good: ObjectVersion<T>[] = [];
    for (const version of versions) {
      const result = this.#transformed(version);
      if (result === undefined) failed.add(version.key);
      else good.push(result);
      const turn = this.#turns.due(signal);
      if (turn !== undefined) await turn;
    }
    return [good, failed];
  }

  #transformed(version: ObjectVersion<T>): ObjectVersion<T> | undefined {
    const { transform } = this.#options;
    if (transform === undefined) return version;
    try {
      return transformed(version, transform);
    } catch (error) {
      this.#poison(version.key, error, "transform failed, keeping the cached state of the object");
      return undefined;
    }
  }

  #poison(key: string, error: unknown, message: string): void {
    this.#metrics.poison.add();
    const {
      runtime: { log },
      name,
    } = this.#options;
    this.#lines.line((leftOut) => log.warn(message, { informer: name, key, error, leftOut }));
  }

  /** Never decreases the version: a late event says nothing about the progress of the store. Only a replace resets it. */
  #moveTo(resourceVersion: string): void {
    if (resourceVersion === "" || compareResourceVersions(resourceVersion, this.#resourceVersion) === -1) return;
    this.#resourceVersion = resourceVersion;
    this.#metrics.storeVersion.set(versionNumber(resourceVersion) ?? 0);
    this.#metrics.progressAt.set(this.#options.runtime.clock.now() / 1000);
  }
}
