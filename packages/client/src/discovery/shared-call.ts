/**
 * One piece of work with many who wait for it. Each may stop waiting; when nobody is left, the work is told to stop as well.
 */
import { abortable } from "@drover/machinery";
import type { WaitOptions } from "@drover/machinery";

/** Starts its work by itself, once the caller has let go. */
export class SharedCall<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  readonly #end: () => void;
  #waiting = 0;
  #over = false;

  /** @param ended - called once, when the work has settled or when nobody waits for it any more: from then on it must not be joined */
  constructor(work: (signal: AbortSignal) => Promise<T>, ended: () => void) {
    this.#end = () => {
      if (!this.#over) ended();
      this.#over = true;
    };
    // In the next turn, so that the work may refer to what the call is put into.
    this.#result = Promise.resolve().then(() => work(this.#controller.signal));
    this.#result.then(this.#end, this.#end);
  }

  /** Waits for the result, or until the signal is aborted. */
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
