/**
 * One task with several waiters. Each may stop waiting; when the last one leaves, the task is aborted.
 */
import { abortable } from "@drover/machinery";
import type { WaitOptions } from "@drover/machinery";

/** Starts its task in the next microtask. */
export class SharedCall<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  readonly #end: () => void;
  #waiting = 0;
  #over = false;

  /** @param ended - called once, when the task has settled or the last waiter has left: it must not be joined after that */
  constructor(work: (signal: AbortSignal) => Promise<T>, ended: () => void) {
    this.#end = () => {
      if (!this.#over) ended();
      this.#over = true;
    };
    // In the next microtask, so that the task may use the variable that holds this call.
    this.#result = Promise.resolve().then(() => work(this.#controller.signal));
    this.#result.then(this.#end, this.#end);
  }

  /** Waits for the result, or until the signal aborts. */
  async join({ signal }: WaitOptions = {}): Promise<T> {
    this.#waiting++;
    try {
      signal?.throwIfAborted();
      return await (signal === undefined ? this.#result : abortable(this.#result, signal));
    } finally {
      this.#waiting--;
      if (this.#waiting === 0 && signal?.aborted === true) {
        this.#end();
        this.#controller.abort(signal.reason);
      }
    }
  }
}
