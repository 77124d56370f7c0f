/**
 * One thread, seen from inside: receives shards, answers questions and sends a sign of life every second.
 *
 *     main thread → ThreadPort → ThreadMember → ThreadShards, controllers;   manager of the thread → ThreadMember → main thread
 */
import { errorText, prometheusText, sleep } from "@drover/machinery";
import type { Clock, MetricsRegistry } from "@drover/machinery";
import { FencedError } from "../leader/fenced-error.ts";
import type { Fence } from "../leader/fence.ts";
import type { Controller } from "../reconcile/controller.ts";
import { SharedLeases } from "./shared-leases.ts";
import type { ThreadPort, ThreadSeat, ToThread } from "./thread-messages.ts";
import { ThreadShards } from "./thread-shards.ts";

/** What a manager needs to run in a thread. */
export interface ManagerThread {
  readonly seat: ThreadSeat;
  readonly port: ThreadPort;
  /** Returns the time of a monotonic clock that all threads of the process have in common, in milliseconds. */
  readonly commonMs: () => number;
}

export interface ThreadMemberOptions extends ManagerThread {
  readonly runtime: { readonly clock: Clock; readonly metrics: MetricsRegistry };
  readonly controllerOf: (name: string) => Controller | undefined;
  /** Throws why the thread is not ready. */
  readonly checkReady: () => void;
}

const beatMs = 1000;
/** Until the thread is ready for the first time. */
const firstBeatsMs = 50;

/** Guarantees: a stop of the main thread aborts `stopping`; `run` tells the main thread how it ends. */
export class ThreadMember {
  /** Keys of this thread in shards that the main thread holds. */
  readonly leased: ThreadShards;
  /** Keys of this thread, for controllers that need no lease. */
  readonly free: ThreadShards;
  readonly #options: ThreadMemberOptions;
  readonly #leases: SharedLeases;
  readonly #stopping = new AbortController();

  constructor(options: ThreadMemberOptions) {
    const {
      seat,
      runtime: { clock },
      commonMs,
    } = options;
    this.#options = options;
    this.#leases = new SharedLeases({ buffer: seat.buffer, clock, commonMs });
    this.leased = new ThreadShards(seat, clock);
    this.free = new ThreadShards({ ...seat, layout: { ...seat.layout, count: 1 }, leases: [] }, clock);
    this.free.acquired(0, { transitions: 0, until: { monotonicMs: Infinity, wallMs: Infinity } });
  }

  /** The fence of the only lease; undefined with shards or without leases. */
  get fence(): Fence | undefined {
    return this.#options.seat.leases.length === 1 ? this.leased.fenceOf(0) : undefined;
  }

  /** Runs the manager of this thread until the signal aborts or the main thread stops it. */
  async run(signal: AbortSignal, manager: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { port } = this.#options;
    const over = new AbortController();
    port.post({ kind: "running" });
    const end = port.receive((message) => this.#received(message));
    const beating = this.#beat(over.signal);
    let error = "";
    try {
      await manager(AbortSignal.any([signal, this.#stopping.signal]));
    } catch (thrown) {
      error = errorText(thrown);
      throw thrown;
    } finally {
      over.abort();
      await beating;
      end();
      port.post({ kind: "ended", error });
    }
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const {
      port,
      runtime: { clock },
    } = this.#options;
    let wasReady = false;
    while (!signal.aborted) {
      const problem = this.#problem();
      wasReady ||= problem === "";
      port.post({ kind: "beat", problem });
      await sleep(clock, wasReady ? beatMs : firstBeatsMs, { signal }).catch(() => undefined);
    }
  }

  #problem(): string {
    try {
      this.#options.checkReady();
      return "";
    } catch (error) {
      return errorText(error);
    }
  }

  #received(message: ToThread): void {
    const {
      port,
      runtime: { metrics },
      controllerOf,
    } = this.#options;
    switch (message.kind) {
      case "acquired":
        this.leased.acquired(message.shard, this.#leases.holdOf(message.shard, message.term));
        break;
      case "released":
        void this.#released(message);
        break;
      case "enqueue":
        controllerOf(message.controller)?.enqueue(message.key, message.options);
        break;
      case "workers":
        controllerOf(message.controller)?.setWorkers(message.count);
        break;
      case "metrics":
        port.post({ kind: "metrics", ask: message.ask, text: prometheusText(metrics) });
        break;
      case "stop":
        this.#stopping.abort(new DOMException(message.why, "AbortError"));
        break;
    }
  }

  async #released({ shard, why, isLost, ask }: Extract<ToThread, { readonly kind: "released" }>): Promise<void> {
    const { seat, port, runtime } = this.#options;
    const lease = seat.leases[shard] ?? "";
    const reason = isLost ? new FencedError({ lease, sinceMs: runtime.clock.now(), why }) : new DOMException(why, "AbortError");
    const isClean = await this.leased.released(shard, reason, { isLost });
    port.post({ kind: "released", ask, isClean });
  }
}
