/**
 * The threads of a program, seen from the main thread: hands leases on to them, and joins what they report.
 *
 *     Manager (leases, probes, signals) → ThreadTeam → SupervisedThread for each thread
 */
import { errorText, isTimeoutError, sleep, withTimeout } from "@drover/machinery";
import type { Clock, Log, Metrics, ObjectKey } from "@drover/machinery";
import { isFencedError } from "../leader/fenced-error.ts";
import type { FenceMirror } from "../leader/fence.ts";
import type { EnqueueOptions } from "../reconcile/controller.ts";
import { threadOf } from "../shards/shard-layout.ts";
import type { ShardLayout } from "../shards/shard-layout.ts";
import type { ShardWorker } from "../shards/shards.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { SharedLeases, sharedLeasesBuffer } from "./shared-leases.ts";
import { SupervisedThread } from "./supervised-thread.ts";
import type { StartThread } from "./supervised-thread.ts";
import type { ToThread } from "./thread-messages.ts";

/** Threads of a manager: who starts them, and how many. */
export interface ManagerThreads {
  /** Number of threads, from 2 to 64. */
  readonly count: number;
  readonly start: StartThread;
  /** Returns the time of a monotonic clock that all threads of the process have in common, in milliseconds. */
  readonly commonMs: () => number;
}

export interface ThreadTeamOptions extends ManagerThreads {
  readonly runtime: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics };
  readonly layout: ShardLayout;
  /** Names of the leases by shard; empty if the manager has no lease. */
  readonly leases: readonly string[];
  readonly leaseDurationMs: number;
  /** Returns the time left of the grace period, in milliseconds; Infinity unless the manager is stopping. */
  readonly graceLeftMs: () => number;
  /** Returns the longest time that a controller gives its runs to end, in milliseconds. */
  readonly drainMaxMs: () => number;
  readonly syncTimeoutMs: number;
}

/** Time for aborted runs to end, for responses to what they have sent, and for the message. */
const answersMs = 10_000;
/** How long a thread may take to send its metrics; then its last ones are used. */
const metricsMs = 1000;
const watchMs = 1000;
const pollMs = 50;

/**
 * Guarantees: a thread works on a shard only while the main thread has it. A shard counts as released when every thread has answered or
 * ended; a thread that does neither is terminated.
 */
export class ThreadTeam implements ShardWorker {
  readonly #options: ThreadTeamOptions;
  readonly #leases: SharedLeases;
  readonly #threads: readonly SupervisedThread[];
  /** The message about each held shard. */
  readonly #held = new Map<number, ToThread>();
  readonly #lastMetrics = new Map<string, string>();
  #isClean = true;

  constructor(options: ThreadTeamOptions) {
    const {
      count: threads,
      layout,
      leases,
      leaseDurationMs,
      runtime: { clock, log, metrics },
      start,
      commonMs,
    } = options;
    this.#options = options;
    const buffer = sharedLeasesBuffer(layout.count);
    this.#leases = new SharedLeases({ buffer, clock, commonMs });
    const restarts = metrics.counter({
      name: "drover_thread_restarts_total",
      help: "Threads that were started again after a crash.",
      labels: ["thread"],
    });
    this.#threads = Array.from({ length: threads }, (_, index) => {
      const thread = index + 1;
      const restarted = restarts.with({ thread: String(thread) });
      return new SupervisedThread({
        seat: { thread, threads, layout, leases, leaseDurationMs, buffer },
        clock,
        log: log.with({ thread }),
        start,
        greeting: () => [...this.#held.values()],
        onRestart: () => restarted.add(),
        stopMs: () => this.#limitMs(),
        isStopping: () => options.graceLeftMs() < Infinity,
      });
    });
  }

  mirrorOf(shard: number): FenceMirror {
    return this.#leases.mirrorOf(shard);
  }

  /** Whether a lease may be released: nothing that a thread has sent can still reach the server. */
  get isClean(): boolean {
    return this.#isClean && this.#threads.every((thread) => thread.isClean && !thread.wasTerminated);
  }

  /** Names of threads that did not stop in time. */
  get terminated(): readonly string[] {
    return this.#threads.flatMap(({ name, wasTerminated }) => (wasTerminated ? [name] : []));
  }

  /** Throws an error that names every thread that has sent nothing for longer. */
  checkHealth(blockedMs: number): void {
    const silent = this.#threads.filter((thread) => thread.silentMs > blockedMs);
    if (silent.length > 0)
      throw new Error(silent.map(({ name, silentMs }) => `${name} has not responded for ${Math.round(silentMs)} ms`).join("; "));
  }

  /** Throws an error that names every thread that is not ready. */
  checkReady(): void {
    const problems = this.#threads.flatMap(({ name, problem }) => (problem === "" ? [] : [`${name}: ${problem}`]));
    if (problems.length > 0) throw new Error(problems.join("; "));
  }

  /** Starts all threads, and runs until the signal aborts and all have ended. Rejects if one crashes too often. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.runtime;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const watching = (async () => {
      while (!either.aborted) {
        await sleep(clock, watchMs, { signal: either }).catch(() => undefined);
        if (!either.aborted) for (const thread of this.#threads) thread.watch();
      }
    })();
    const fail = (error: unknown): never => {
      over.abort(error);
      throw error;
    };
    const outcomes = await Promise.allSettled(this.#threads.map((thread) => thread.run(either).catch(fail)));
    over.abort();
    await watching;
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    // oxlint-disable-next-line typescript/only-throw-error -- the error of the thread
    if (failed !== undefined) throw failed.reason;
  }

  /** Resolves when all threads have synced. Rejects with their problems if that takes too long. */
  async ready(signal: AbortSignal): Promise<void> {
    const {
      runtime: { clock },
      syncTimeoutMs,
    } = this.#options;
    const synced = async (within: AbortSignal): Promise<void> => {
      while (this.#threads.some(({ problem }) => problem !== "")) await sleep(clock, pollMs, { signal: within });
    };
    try {
      await withTimeout(clock, syncTimeoutMs, synced, { signal });
    } catch (error) {
      if (!isTimeoutError(error)) throw error;
      try {
        this.checkReady();
      } catch (problem) {
        throw new Error(`the threads have not synced within ${syncTimeoutMs} ms: ${errorText(problem)}`, { cause: problem });
      }
    }
  }

  /** Works for one term of the only lease, or without a lease until the signal aborts. */
  async lead(signal: AbortSignal): Promise<void> {
    const isLeased = this.#options.leases.length > 0;
    const mirror = this.mirrorOf(0);
    if (!isLeased) mirror.opened({ transitions: 0, until: { monotonicMs: Infinity, wallMs: Infinity } });
    this.acquired(0);
    await untilAborted(signal);
    this.#isClean = await this.released(0, signal.reason);
    if (!isLeased) mirror.closed();
  }

  acquired(shard: number): void {
    const message: ToThread = { kind: "acquired", shard, term: this.#leases.termOf(shard) };
    this.#held.set(shard, message);
    for (const thread of this.#threads) thread.post(message);
  }

  async released(shard: number, reason: unknown): Promise<boolean> {
    this.#held.delete(shard);
    const isLost = isFencedError(reason);
    const limitMs = isLost ? answersMs : this.#limitMs();
    const question = { kind: "released", shard, why: errorText(reason), isLost } as const;
    const answers = await Promise.all(
      this.#threads.map(async (thread) => {
        const answer = await thread.ask(question, limitMs);
        if (answer?.kind === "released") return answer.isClean;
        return !thread.terminate() && thread.isClean;
      }),
    );
    return answers.every((isClean) => isClean);
  }

  enqueue(controller: string, key: ObjectKey, options: EnqueueOptions): void {
    const { layout, count } = this.#options;
    this.#threads[threadOf(key, layout, count)]?.post({ kind: "enqueue", controller, key, options });
  }

  setWorkers(controller: string, count: number): void {
    for (const thread of this.#threads) thread.post({ kind: "workers", controller, count });
  }

  /** Returns the metrics of every thread, by its number; of a thread that does not answer, those of last time. */
  async metrics(): Promise<ReadonlyMap<string, string>> {
    await Promise.all(
      this.#threads.map(async (thread, index) => {
        const answer = await thread.ask({ kind: "metrics" }, metricsMs);
        if (answer?.kind === "metrics") this.#lastMetrics.set(String(index + 1), answer.text);
      }),
    );
    return this.#lastMetrics;
  }

  /** A tenth of the grace period is left to end what does not end by itself. */
  #limitMs(): number {
    const { graceLeftMs, drainMaxMs } = this.#options;
    return Math.min(graceLeftMs() * 0.9, drainMaxMs() + answersMs);
  }
}
