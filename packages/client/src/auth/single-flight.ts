/**
 * Runs one task at a time and shares its result. Ten calls that need a fresh token start one program, not ten.
 */
import { abortable } from "@drover/machinery";

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Guarantees: callers that join while a task runs wait for it and get its result. A caller that aborts leaves without
 * affecting the others; when the last one leaves, the task's signal aborts, and the next caller starts a new task.
 */
export class SingleFlight<T> {
  #flight: Flight<T> | undefined;

  /** Waits for the running task, or starts `work`. */
  async join(work: (signal: AbortSignal) => Promise<T>, { signal }: { readonly signal?: AbortSignal } = {}): Promise<T> {
    signal?.throwIfAborted();
    const flight = (this.#flight ??= this.#start(work));
    flight.waiting++;
    try {
      return await (signal === undefined ? flight.promise : abortable(flight.promise, signal));
    } finally {
      flight.waiting--;
      if (flight.waiting === 0 && this.#flight === flight) {
        this.#flight = undefined;
        flight.controller.abort(signal?.reason);
      }
    }
  }

  #start(work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const promise = Promise.resolve()
      .then(() => work(controller.signal))
      .finally(() => {
        if (this.#flight === flight) this.#flight = undefined;
      });
    const flight: Flight<T> = { controller, waiting: 0, promise };
    return flight;
  }
}
