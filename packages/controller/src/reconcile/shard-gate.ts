/**
 * Limits a controller to the keys of the shards that its replica holds.
 *
 *     source → admits(key) → queue → mayStart(key) → run, its writes behind fenceOf(key)
 *     shard acquired → replay of all sources, only keys of that shard pass;   shard given up → its runs end, then its lease
 *
 * Keys of other shards are not remembered: when a shard is acquired, the caches have them.
 */
import { TimeoutError, sleep } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import type { EnqueueCause } from "../causes/cause.ts";
import { lowPriority } from "../handlers/request.ts";
import type { Fence } from "../leader/fence.ts";
import { isFenced } from "../leader/fenced-error.ts";
import type { Shards, ShardWorker } from "../shards/shards.ts";
import type { KeysSubject, SourceRequest, SourceSink } from "../sources/source.ts";
import { LabelKeys } from "./label-keys.ts";
import type { ShardRun } from "./shard-run.ts";

export interface ShardGateOptions {
  readonly controller: string;
  readonly shards: Shards;
  readonly clock: Clock;
  /** How long runs of a shard that is given up may continue, in milliseconds; then they are aborted. */
  readonly drainMs: number;
  /** How long aborted runs may take to end before they are abandoned. */
  readonly abortMs: number;
  readonly active: () => Iterable<ShardRun>;
  readonly request: (key: ObjectKey, request: SourceRequest) => void;
  /** Lets the sources request everything once more. */
  readonly replay: (request: SourceSink["request"]) => Promise<void>;
  /** A key that `mayStart` put off may start. */
  readonly resume: (key: ObjectKey) => void;
}

/** Whether a run may start: now, not here, or when other replicas have seen that the key is ours. */
export type StartVerdict = "now" | "never" | "later";

/** Guarantees: no run starts for a key of a shard that is not held; `released` resolves after all runs of the shard have ended. */
export class ShardGate implements ShardWorker {
  readonly #options: ShardGateOptions;
  /** Acquired shards whose keys have not been requested yet. */
  readonly #acquired = new Set<number>();
  /** Called when a run has ended. */
  readonly #waiters = new Set<() => void>();
  #isReplaying = false;
  /** A run stays in the shard in which it started. */
  readonly #started = new WeakMap<ShardRun, number>();
  readonly #labels: LabelKeys | undefined;

  constructor(options: ShardGateOptions) {
    this.#options = options;
    options.shards.add(this);
    this.#labels = this.#labelKeys(options);
  }

  /** Learns where the objects of the keys are; does nothing unless shards are by label. Returns a function that ends it. */
  follow(subject: KeysSubject): () => void {
    return this.#labels?.follow(subject) ?? ((): void => undefined);
  }

  /** Whether to enqueue the key. */
  admits(key: ObjectKey): boolean {
    return this.#options.shards.holds(this.#shardOf(key));
  }

  /** Whether a run of the key may start: its lease is held now, by the clock, and no other replica has a reason to run it. */
  mayStart(key: ObjectKey): StartVerdict {
    const shard = this.#shardOf(key);
    const { shards } = this.#options;
    if (shards.holds(shard) && shards.fenceOf(shard).isOpen) return this.#labels?.mayStart(key, shard) === false ? "later" : "now";
    this.#labels?.forget(key);
    return "never";
  }

  /** A run starts, in the shard of its key now. */
  began(run: ShardRun): void {
    this.#started.set(run, this.#shardOf(run.key));
  }

  /** Returns the fence of a run: that of the shard in which it started. */
  fenceOf(run: ShardRun): Pick<Fence, "wrapper"> {
    const fence = this.#options.shards.fenceOf(this.#startedIn(run));
    const counted = this.#labels?.wrapper(run.key);
    return counted === undefined ? fence : { wrapper: (next) => fence.wrapper(counted(next)) };
  }

  acquired(shard: number): void {
    this.#labels?.acquired(shard);
    this.#acquired.add(shard);
    if (!this.#isReplaying) void this.#replayAcquired();
  }

  async released(shard: number, reason: unknown): Promise<boolean> {
    const { controller, drainMs, abortMs } = this.#options;
    this.#acquired.delete(shard);
    this.#labels?.released(shard);
    for (const run of this.#runsOf(shard)) run.drain(reason);
    if (!isFenced(reason)) await this.#ended(shard, drainMs);
    const over = isFenced(reason)
      ? reason
      : new TimeoutError(`shard ${shard} of controller ${controller} moves, and its runs did not end within ${drainMs} ms`, {
          cause: reason,
        });
    for (const run of this.#runsOf(shard)) run.abort(over);
    await this.#ended(shard, abortMs);
    const left = this.#runsOf(shard);
    for (const run of left) run.abandon(over);
    return left.length === 0;
  }

  /** Called when a run of the key has ended. */
  runEnded(key: ObjectKey): void {
    this.#labels?.runEnded(key);
    for (const look of this.#waiters) look();
  }

  /** Takes no part any more. */
  close(): void {
    this.#options.shards.remove(this);
    this.#acquired.clear();
    this.#labels?.close();
  }

  /** Requests the keys of acquired shards; those acquired meanwhile wait for the next round, so that many at once cost two rounds. */
  async #replayAcquired(): Promise<void> {
    const { shards, request, replay } = this.#options;
    this.#isReplaying = true;
    while (this.#acquired.size > 0) {
      // A start acquires many shards at once.
      await Promise.resolve();
      const now = new Set(this.#acquired);
      this.#acquired.clear();
      const causes = new Map<number, EnqueueCause>();
      await replay((key) => {
        const shard = this.#shardOf(key);
        if (!now.has(shard) || !shards.holds(shard)) return;
        const cause = causes.get(shard) ?? { type: "enqueue", note: `shard ${shard} of ${shards.layout.count} acquired` };
        causes.set(shard, cause);
        request(key, { priority: lowPriority, cause });
      });
    }
    this.#isReplaying = false;
  }

  #shardOf(key: ObjectKey): number {
    return this.#labels?.shardOf(key) ?? this.#options.shards.shardOf(key);
  }

  #startedIn(run: ShardRun): number {
    return this.#started.get(run) ?? this.#shardOf(run.key);
  }

  #labelKeys({ shards, request, resume, ...options }: ShardGateOptions): LabelKeys | undefined {
    const { seen, layout } = shards;
    if (seen === undefined) return undefined;
    const arrived = (key: ObjectKey, shard: number): void => {
      if (shards.holds(shard)) request(key, { cause: { type: "enqueue", note: `moved to shard ${shard} of ${layout.count}` } });
    };
    return new LabelKeys({ ...options, shards, seen, arrived, cleared: resume });
  }

  #runsOf(shard: number): readonly ShardRun[] {
    return [...this.#options.active()].filter((run) => this.#startedIn(run) === shard);
  }

  /** Waits until no run of the shard is left, but at most `limitMs`. */
  async #ended(shard: number, limitMs: number): Promise<void> {
    if (this.#runsOf(shard).length === 0) return;
    const over = new AbortController();
    const look = (): void => {
      if (this.#runsOf(shard).length === 0) over.abort();
    };
    this.#waiters.add(look);
    await sleep(this.#options.clock, limitMs, { signal: over.signal }).catch(() => undefined);
    this.#waiters.delete(look);
  }
}
