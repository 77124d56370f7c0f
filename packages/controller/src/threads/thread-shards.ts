/**
 * The part of the keys that one thread reconciles: of every shard that the main thread holds, the keys of this thread.
 *
 *     main thread → acquired, released → ThreadShards → ShardGate of each controller
 *
 * To controllers, each shard of the replica looks like one shard for each thread, of which this thread can hold its own.
 */
import { sleep } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import type { Fence } from "../leader/fence.ts";
import { LeaseFence } from "../leader/fence.ts";
import type { Hold } from "../leader/lease-state.ts";
import { printLayout, shardOf, threadOf } from "../shards/shard-layout.ts";
import type { ShardLayout } from "../shards/shard-layout.ts";
import type { Shards, ShardsView, ShardWorker } from "../shards/shards.ts";
import type { ThreadSeat } from "./thread-messages.ts";

/** How long responses to writes in progress may take after the work of a shard has ended. */
const answersMs = 5000;

/** Guarantees: like `Shards`; no key belongs to two threads. */
export class ThreadShards implements Shards {
  readonly layout: ShardLayout;
  readonly #seat: Omit<ThreadSeat, "buffer">;
  readonly #clock: Clock;
  readonly #fences: readonly LeaseFence[];
  readonly #workers = new Set<ShardWorker>();
  /** Held shards of the replica. */
  readonly #open = new Set<number>();

  constructor(seat: Omit<ThreadSeat, "buffer">, clock: Clock) {
    const { layout, threads, leases } = seat;
    this.#seat = seat;
    this.#clock = clock;
    this.layout = { ...layout, count: layout.count * threads };
    this.#fences = Array.from({ length: layout.count }, (_, shard) => new LeaseFence({ lease: leases[shard] ?? "", clock }));
  }

  shardOf(key: ObjectKey): number {
    const { layout, threads } = this.#seat;
    return shardOf(key, layout) * threads + threadOf(key, layout, threads);
  }

  holds(shard: number): boolean {
    const { thread, threads } = this.#seat;
    return shard % threads === thread - 1 && this.#open.has(Math.floor(shard / threads));
  }

  fenceOf(shard: number): Fence {
    return this.#fenceOf(Math.floor(shard / this.#seat.threads));
  }

  state(): ShardsView {
    const held = [...this.#open].map((shard) => this.#ownOf(shard)).toSorted((one, other) => one - other);
    return { layout: printLayout(this.layout), held, wanted: held, members: [] };
  }

  add(worker: ShardWorker): void {
    this.#workers.add(worker);
  }

  remove(worker: ShardWorker): void {
    this.#workers.delete(worker);
  }

  /** The main thread has acquired a shard. */
  acquired(shard: number, hold: Hold): void {
    this.#fenceOf(shard).hold(hold);
    this.#open.add(shard);
    for (const worker of this.#workers) worker.acquired(this.#ownOf(shard));
  }

  /**
   * The main thread gives a shard up, or has lost it. Resolves when no work and no write of it is left; true if none was abandoned that may
   * still reach the server.
   */
  async released(shard: number, reason: unknown, { isLost }: { readonly isLost: boolean }): Promise<boolean> {
    const fence = this.#fenceOf(shard);
    const why = "the main thread of the program does not hold it";
    this.#open.delete(shard);
    if (isLost) fence.close(why);
    const ended = await Promise.all(Array.from(this.#workers, (worker) => worker.released(this.#ownOf(shard), reason)));
    const over = new AbortController();
    await Promise.race([
      fence.quiet().then(() => over.abort()),
      sleep(this.#clock, answersMs, { signal: over.signal }).catch(() => undefined),
    ]);
    const loss = fence.close(why);
    const isAbout = loss?.unansweredMs !== undefined && this.#clock.monotonic() - loss.unansweredMs < this.#seat.leaseDurationMs;
    return !isAbout && ended.every((isEnded) => isEnded);
  }

  /** Returns the shard of the controllers that is this thread's part of a shard of the replica. */
  #ownOf(shard: number): number {
    return shard * this.#seat.threads + this.#seat.thread - 1;
  }

  #fenceOf(shard: number): LeaseFence {
    const fence = this.#fences[shard];
    if (fence === undefined) throw new RangeError(`there is no shard ${shard}: this program has ${this.layout.count} shards`);
    return fence;
  }
}
