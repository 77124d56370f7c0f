/** One piece of work at a time, however many wait for it. Ten calls that need a fresh token start one program, not ten. */
import { abortable } from "@drover/machinery";

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Guarantees: while work is under way, whoever joins waits for that and gets its outcome. Who aborts leaves alone; when the last one has
 * left, the work is told by its signal, and the next one to join starts anew.
 */
export class SingleFlight<T> {
  #flight: Flight<T> | undefined;

  /** Waits for the work under way, or starts `work`. */
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
