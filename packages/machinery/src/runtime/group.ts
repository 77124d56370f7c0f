/**
 * Owns promises: every task started here is awaited here and stopped through one signal.
 *
 *     const group = new Group({ signal });
 *     group.spawn("reflector pods", (signal) => reflector.run(signal));
 *     await group.done();
 */
import { errorCause, errorName, errorText, isError } from "../error-text.ts";
import type { Clock } from "./clock.ts";
import { sleep } from "./wait.ts";

/** Called for every failure when it happens. If it throws, the group is aborted. */
export type OnTaskError = (error: unknown, name: string) => void;

export interface GroupOptions {
  /** Aborting it aborts the group, with the same reason. */
  readonly signal?: AbortSignal;
  /** "abort": one failure stops the other tasks, and `done` throws it. @default "abort" */
  readonly onFailure?: "abort";
  readonly onError?: OnTaskError;
}
/** For independent tasks: a failure is reported to `onError` and the others continue. */
export interface IsolatedGroupOptions {
  readonly signal?: AbortSignal;
  readonly onFailure: "isolate";
  readonly onError: OnTaskError;
}

/**
 * A group of running tasks.
 *
 * Guarantees: `done` settles only when every task has settled; no rejection is left unhandled; a task that ends with the reason of
 * the group's own signal, or with an `AbortError` after the group was aborted, has stopped and not failed.
 */
export class Group {
  readonly #controller = new AbortController();
  readonly #running = new Map<symbol, { readonly name: string; readonly promise: Promise<void> }>();
  readonly #failures: unknown[] = [];
  readonly #onFailure: "abort" | "isolate";
  readonly #onError: OnTaskError | undefined;
  readonly #unlink: () => void;

  constructor({ signal, onFailure = "abort", onError }: GroupOptions | IsolatedGroupOptions = {}) {
    this.#onFailure = onFailure;
    this.#onError = onError;
    const follow = (): void => this.#controller.abort(signal?.reason);
    this.#unlink = () => signal?.removeEventListener("abort", follow);
    if (signal?.aborted === true) follow();
    else signal?.addEventListener("abort", follow, { once: true });
  }

  /** Aborted when the group stops; every task gets this signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Starts a task. Throws when the group is stopping or over, since nothing would await the task.
   * @param name - shown in `running` and passed to `onError`
   */
  spawn(name: string, task: (signal: AbortSignal) => Promise<void>): void {
    if (this.#controller.signal.aborted)
      throw new Error(`cannot start ${name}: the group is over`, { cause: this.#controller.signal.reason });
    const id = Symbol(name);
    const promise = this.#run(name, task).finally(() => this.#running.delete(id));
    this.#running.set(id, { name, promise });
  }

  /** Returns the names of unsettled tasks, in start order. */
  running(): readonly string[] {
    return [...this.#running.values()].map(({ name }) => name);
  }

  /** Stops every task; no task can start from now on. Await the end with `done`. */
  abort(reason: unknown = new DOMException("the group was stopped", "AbortError")): void {
    this.#controller.abort(reason);
  }

  /**
   * Resolves when every task has settled, including those started meanwhile; the group is then over. Rejects with the failure that
   * stopped the group; if others failed while stopping, with an `AggregateError` whose cause and first entry is that failure.
   */
  async done(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ promise }) => promise));
    this.abort();
    this.#unlink();
    const [first, ...others] = this.#failures;
    if (others.length > 0) {
      throw new AggregateError(this.#failures, `${errorText(first)} (and ${others.length} more: ${others.map(errorText).join("; ")})`, {
        cause: first,
      });
    }
    // oxlint-disable-next-line typescript/only-throw-error -- what a task rejected with is passed on as it is
    if (this.#failures.length > 0) throw first;
  }

  /**
   * Stops every task and waits for them at most `timeoutMs`. Returns the names of those still running: none, if all went well.
   * `done` reports failures.
   */
  async drain(clock: Clock, timeoutMs: number): Promise<readonly string[]> {
    this.abort();
    const ended = new AbortController();
    const end = (): void => ended.abort();
    await Promise.race([this.done().then(end, end), sleep(clock, timeoutMs, { signal: ended.signal }).catch(() => undefined)]);
    return this.running();
  }

  async #run(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await task(this.#controller.signal);
    } catch (error) {
      if (!this.#isOurAbort(error)) this.#failed(error, name);
    }
  }

  #failed(error: unknown, name: string): void {
    let fatal = this.#onFailure === "abort";
    if (fatal) this.#failures.push(error);
    try {
      this.#onError?.(error, name);
    } catch (handlerError) {
      this.#failures.push(handlerError);
      fatal = true;
    }
    if (fatal) this.#controller.abort(error);
  }

  #isOurAbort(error: unknown): boolean {
    const signal = this.#controller.signal;
    if (!signal.aborted) return false;
    return error === signal.reason || errorName(error) === "AbortError" || (isError(error) && errorCause(error) === signal.reason);
  }
}
