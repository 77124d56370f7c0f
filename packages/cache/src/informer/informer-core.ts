/**
 * The inside of an informer: takes deltas one after the other, writes the store, then tells the handlers.
 *
 *     DeltaQueue → InformerCore.consume → InformerStore → HandlerSet
 *
 * Where the deltas come from is not its business: informer.ts puts a reflector in front.
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
import type { ObjectVersion } from "../source/object-version.ts";
import { versionNumber } from "../reflector/reflector-metrics.ts";
import { transformed } from "../source/transformed-version.ts";
import type { Transform } from "../source/transformed-version.ts";

export interface InformerCoreOptions<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** For logs and metrics. */
  readonly name: string;
  /** For the labels that client-go's metrics have. */
  readonly resource: GroupVersionResource;
  readonly transform: Transform<T> | undefined;
  /** Where the bytes of the versions lie, if they lie together. */
  readonly shelf: ByteShelf | undefined;
  /** How many deltas may wait before the reflector is asked to. */
  readonly queueLengthMax: number;
  /** How long a slice of work may take, in milliseconds. */
  readonly sliceMs: number;
}

/** How many steps of a replace are taken between two looks at the clock. */
const stepsPerLook = 32;
/** How many versions are moved together for each delta while the shelf is tidied: it is done long before it is worn again. */
const movesPerDelta = 8;

/** Guarantees: whatever a handler has been told is in the store, or something newer; readers see each replace whole or not at all. */
export class InformerCore<T extends KubeObject> {
  readonly queue: DeltaQueue<T>;
  readonly store: InformerStore<T>;
  readonly handlers: HandlerSet<T>;
  readonly synced: Latch = new Latch();
  readonly #options: InformerCoreOptions<T>;
  readonly #metrics: InformerMetrics;
  readonly #turns: TurnKeeper;
  readonly #lines: LineLimit;
  #resourceVersion = "";
  /** Versions that are still to be moved together. */
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
          log.warn("an index function failed; the object is stored and this index does not know it", {
            informer: name,
            index,
            key,
            error,
            leftOut,
          }),
        );
      },
    });
  }

  /** The version the store is at: nothing up to here was missed. "" before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Takes deltas until the signal is aborted, whose reason it then throws. */
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

  /** Counts and tells of an object that could not be read when somebody looked. */
  unreadable(key: ObjectKey, error: unknown): void {
    this.#poison(key, error, "an object cannot be read; it is left out");
  }

  /** Tells what was written to those who listen now. Whoever a handler adds meanwhile begins with what is written already. */
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
      case "upsert": {
        const version = this.#transformed(delta.version);
        if (version !== undefined) this.tell(this.store.upsert(version));
        return this.#moveTo(delta.version.resourceVersion);
      }
      case "remove": {
        this.tell(this.store.remove(this.#transformed(delta.version) ?? this.store.versions.get(delta.version.key) ?? delta.version));
        return this.#moveTo(delta.version.resourceVersion);
      }
    }
  }

  async #replace({ versions, resourceVersion }: Extract<Delta<T>, { readonly type: "replace" }>, signal: AbortSignal): Promise<void> {
    const [good, keep] = await this.#transformAll(versions, signal);
    const steps = this.store.replace(good, { isInInitialList: !this.synced.isOpen, keep });
    let step = steps.next();
    for (let count = 1; step.done !== true; step = steps.next(), count++) {
      const turn = count % stepsPerLook === 0 ? this.#turns.due(signal) : undefined;
      if (turn === undefined) continue;
      try {
        await turn;
      } catch (error) {
        steps.return([]);
        throw error;
      }
    }
    this.#resourceVersion = "";
    this.#moveTo(resourceVersion);
    this.#toMove = undefined;
    this.#options.shelf?.endTidying();
    // Whoever is added from here on begins with the new state, and must not hear of how it came about.
    const audience = this.handlers.audience;
    for (const change of step.value) {
      this.handlers.tell(change, audience);
      const turn = this.#turns.due(signal);
      if (turn !== undefined) await turn;
    }
    if (this.synced.isOpen) return;
    this.synced.open();
    this.handlers.markSynced();
  }

  /** Moves the bytes of some versions together, when it is time to. */
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

  /** A transform reads every object, so it is cut into slices of its own. Objects it fails on stay as they were. */
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
      this.#poison(version.key, error, "the transform failed on an object; the cache keeps what it had");
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

  /** Never back: an event that came late says nothing about how far the store is. Only a replace begins anew. */
  #moveTo(resourceVersion: string): void {
    if (resourceVersion === "" || compareResourceVersions(resourceVersion, this.#resourceVersion) === -1) return;
    this.#resourceVersion = resourceVersion;
    this.#metrics.storeVersion.set(versionNumber(resourceVersion) ?? 0);
  }
}
