/**
 * One thread, seen from the main thread: it is started again after a crash, asked, watched and stopped.
 *
 *     ThreadTeam → SupervisedThread → StartThread: a thread that runs the program's own module
 */
import { budget, errorText, sleep } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import { untilAborted } from "../sources/until-aborted.ts";
import type { FromThread, ThreadSeat, ToThread } from "./thread-messages.ts";

/** A running thread. */
export interface ThreadHandle {
  post(message: ToThread): void;
  /** Ends the thread wherever it is; `exited` is called then. */
  terminate(): void;
}

/** Starts a thread. `exited` is called once, with the error that ended the thread or with a sentence. */
export type StartThread = (
  seat: ThreadSeat,
  on: { readonly message: (message: FromThread) => void; readonly exited: (why: unknown) => void },
) => ThreadHandle;

export interface SupervisedThreadOptions {
  readonly seat: ThreadSeat;
  readonly clock: Clock;
  readonly log: Log;
  readonly start: StartThread;
  /** Messages for a thread that starts: the shards that are held. */
  readonly greeting: () => readonly ToThread[];
  readonly onRestart: () => void;
  /** Returns how long the thread may take to stop, in milliseconds. */
  readonly stopMs: () => number;
  /** Whether the program is stopping: a thread that ends is not started again. */
  readonly isStopping: () => boolean;
}

const crashes = budget({
  name: "controller/thread-crashes",
  limit: 5,
  unit: "items",
  atLimit: "the program ends with the error of the thread",
  uncounted: "The program ends, and the error names the thread.",
});
/** Crashes count for so long. */
const crashWindowMs = 10 * 60_000;
const backoffFirstMs = 1000;
const backoffMaxMs = 30_000;
/** How long a thread may do other things after its `run` has ended. */
const afterEndMs = 1000;
/** A thread that sent no beat for so long is reported. */
export const silenceMs = 5000;

interface Life {
  readonly handle: ThreadHandle;
  readonly replies: Map<number, (message: FromThread | undefined) => void>;
  hasRun: boolean;
  beatMs: number | undefined;
  problem: string;
  /** Why its `run` ended. */
  error: string | undefined;
}

type Question = Extract<ToThread, { readonly ask: number }>;
type Unasked<Q> = Q extends unknown ? Omit<Q, "ask"> : never;

/** Guarantees: at most one thread at a time; the next starts after the last has ended, one second later at least. */
export class SupervisedThread {
  readonly name: string;
  readonly #options: SupervisedThreadOptions;
  #life: Life | undefined;
  #asks = 0;
  #crashesMs: number[] = [];
  #hasEverRun = false;
  #isSilent = false;
  #wasTerminated = false;

  constructor(options: SupervisedThreadOptions) {
    const { thread, threads } = options.seat;
    this.name = `thread ${thread} of ${threads}`;
    this.#options = options;
  }

  /** Why the thread is not ready; "" if it is. */
  get problem(): string {
    return this.#life === undefined ? "has crashed and starts again soon" : this.#life.problem;
  }

  /** Whether it had to be terminated because it did not stop in time. */
  get wasTerminated(): boolean {
    return this.#wasTerminated;
  }

  /** For how long it has sent nothing, in milliseconds; 0 before its first beat. */
  get silentMs(): number {
    return this.#life?.beatMs === undefined ? 0 : this.#options.clock.monotonic() - this.#life.beatMs;
  }

  /** Whether no write of a thread that has crashed can still reach the server. */
  get isClean(): boolean {
    const last = this.#crashesMs.at(-1);
    return last === undefined || this.#options.clock.monotonic() - last >= this.#options.seat.leaseDurationMs;
  }

  post(message: ToThread): void {
    this.#life?.handle.post(message);
  }

  /** Resolves with the reply; with undefined if the thread does not run, ends first, or does not answer in time. */
  async ask(question: Unasked<Question>, limitMs: number): Promise<FromThread | undefined> {
    const life = this.#life;
    if (life === undefined) return undefined;
    const ask = ++this.#asks;
    const over = new AbortController();
    let answer: FromThread | undefined;
    life.replies.set(ask, (message) => {
      answer = message;
      over.abort();
    });
    life.handle.post({ ...question, ask });
    await sleep(this.#options.clock, limitMs, { signal: over.signal }).catch(() => undefined);
    life.replies.delete(ask);
    return answer;
  }

  /** Ends a thread that does not answer; unless the program is stopping, it starts again. Returns whether it ran. */
  terminate(): boolean {
    if (this.#life === undefined) return false;
    this.#wasTerminated = true;
    this.#options.log.error("thread does not answer and is terminated");
    this.#life.handle.terminate();
    return true;
  }

  /** Reports a thread that blocks, once, and that it continues. */
  watch(): void {
    const { log } = this.#options;
    const isSilent = this.silentMs > silenceMs;
    if (isSilent && !this.#isSilent)
      log.error("thread does not respond: code of a reconcile blocks it; its keys wait, other threads continue", {
        silentMs: Math.round(this.silentMs),
      });
    if (!isSilent && this.#isSilent && this.#life !== undefined) log.info("thread responds again");
    this.#isSilent = isSilent;
  }

  /** Runs the thread until the signal aborts and it has ended. Rejects if it crashes too often. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, onRestart, isStopping } = this.#options;
    while (!signal.aborted) {
      const why = await this.#live(signal);
      if (!signal.aborted) this.#crashesMs.push(clock.monotonic());
      if (isStopping()) await untilAborted(signal);
      if (signal.aborted) return;
      const count = this.#crashed(why);
      const delayMs = Math.min(backoffMaxMs, backoffFirstMs * 2 ** (count - 1));
      log.error("thread crashed, starting it again", { error: why, crashes: count, delayMs });
      await sleep(clock, delayMs, { signal }).catch(() => undefined);
      if (!signal.aborted) onRestart();
    }
  }

  /** Runs the thread once. Resolves with the reason of its end. */
  async #live(signal: AbortSignal): Promise<unknown> {
    const { start, seat, greeting } = this.#options;
    let exit: (why: unknown) => void = () => undefined;
    const exited = new Promise<unknown>((resolve) => (exit = resolve));
    let handle: ThreadHandle;
    const life = (): Life | undefined => this.#life;
    try {
      handle = start(seat, { message: (message) => this.#received(message), exited: exit });
    } catch (error) {
      return error;
    }
    this.#wasTerminated = false;
    this.#life = { handle, replies: new Map(), hasRun: false, beatMs: undefined, problem: "has not started", error: undefined };
    for (const message of greeting()) handle.post(message);
    const over = new AbortController();
    const stop = (): void => void this.#stop(signal.reason, over.signal);
    signal.addEventListener("abort", stop, { once: true });
    const why = await exited;
    signal.removeEventListener("abort", stop);
    over.abort();
    const error = life()?.error;
    for (const reply of life()?.replies.values() ?? []) reply(undefined);
    this.#life = undefined;
    return error ?? why;
  }

  async #stop(reason: unknown, over: AbortSignal): Promise<void> {
    const { clock, stopMs } = this.#options;
    this.post({ kind: "stop", why: errorText(reason) });
    await sleep(clock, stopMs(), { signal: over }).catch(() => undefined);
    if (!over.aborted) this.terminate();
  }

  #received(message: FromThread): void {
    const life = this.#life;
    if (life === undefined) return;
    switch (message.kind) {
      case "running":
        life.hasRun = true;
        this.#hasEverRun = true;
        break;
      case "beat":
        life.beatMs = this.#options.clock.monotonic();
        life.problem = message.problem;
        break;
      case "released":
      case "metrics":
        life.replies.get(message.ask)?.(message);
        break;
      case "ended":
        life.error = message.error === "" ? undefined : message.error;
        life.problem = "has ended";
        this.#options.clock.timer(afterEndMs, () => life.handle.terminate());
        break;
    }
  }

  /** Returns how often the thread crashed lately. Throws if that is too often. */
  #crashed(why: unknown): number {
    const { clock, seat } = this.#options;
    const nowMs = clock.monotonic();
    this.#crashesMs = this.#crashesMs.filter((atMs) => nowMs - atMs < crashWindowMs);
    const count = this.#crashesMs.length;
    if (!this.#hasEverRun)
      throw new Error(
        `${this.name} ended before it called run with threads: ${seat.threads}: ${errorText(why)}; the module that starts the program must reach that call in a thread too, or set threads.entry to a module that does`,
        { cause: why },
      );
    if (count > crashes.limit)
      throw new Error(`${this.name} crashed ${count} times within ${crashWindowMs / 60_000} minutes, last: ${errorText(why)}`, {
        cause: why,
      });
    return Math.max(1, count);
  }
}
