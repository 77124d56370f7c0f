/**
 * Reads of the server that are under way: one per key, for any number of readers, and a limited number at once.
 *
 *     join(key, fly) → under way? wait for it : free place? fly : wait for a place
 */
import { abortable, BudgetExceededError, budget } from "@drover/machinery";
import type { Budget, ObjectKey } from "@drover/machinery";

export const waitingReads: Budget = budget({
  name: "cache/body-readers",
  limit: 10_000,
  unit: "items",
  atLimit: "A further read of an evicted body is refused with a BudgetExceededError until others have ended.",
});

/** Reads one object; calls `landed` when the answer is decided, after which further readers start another read. */
export type Fly<V> = (signal: AbortSignal, landed: () => void) => Promise<V>;

interface Flight<V> {
  readonly stop: AbortController;
  readonly result: Promise<V>;
  /** Forgets the flight, so that further readers start another. */
  readonly landed: () => void;
  readers: number;
}

export interface ReadFlightsOptions {
  /** Maximum number of reads at once. */
  readonly flightsMax: number;
  /** Called when the number of open reads changes. */
  readonly onOpen: (open: number) => void;
  /** Called when a read is refused. */
  readonly onRefused: () => void;
}

/** Guarantees: at most one read per key and `flightsMax` in total; a read ends when its last reader has left. */
export class ReadFlights<V> {
  readonly #options: ReadFlightsOptions;
  readonly #flights = new Map<ObjectKey, Flight<V>>();
  /** Reads that wait for a place, in order. */
  readonly #queue = new Set<() => void>();
  #open = 0;
  #readers = 0;
  #closed: { readonly reason: unknown } | undefined;

  constructor(options: ReadFlightsOptions) {
    this.#options = options;
  }

  /** Number of readers that wait. */
  get readers(): number {
    return this.#readers;
  }

  isUnderWay(key: ObjectKey): boolean {
    return this.#flights.has(key);
  }

  /** Joins the read of a key, or starts it. Rejects with the error of the read, the reader's signal, or a `BudgetExceededError`. */
  async join(key: ObjectKey, fly: Fly<V>, signal: AbortSignal | undefined): Promise<V> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed.reason;
    if (this.#readers >= waitingReads.limit) {
      this.#options.onRefused();
      throw new BudgetExceededError(waitingReads);
    }
    const flight = this.#flights.get(key) ?? this.#start(key, fly);
    flight.readers++;
    this.#readers++;
    try {
      return await (signal === undefined ? flight.result : abortable(flight.result, signal));
    } finally {
      this.#readers--;
      if (--flight.readers === 0) {
        flight.landed();
        flight.stop.abort(new DOMException("no reader waits for this object any more", "AbortError"));
      }
    }
  }

  /** Ends all reads with this reason, and refuses further ones. */
  close(reason: unknown): void {
    this.#closed = { reason };
    for (const { stop } of this.#flights.values()) stop.abort(reason);
    this.#flights.clear();
  }

  #start(key: ObjectKey, fly: Fly<V>): Flight<V> {
    const stop = new AbortController();
    const landed = (): void => {
      if (this.#flights.get(key)?.stop === stop) this.#flights.delete(key);
    };
    const flight: Flight<V> = { stop, result: this.#placed(stop.signal, () => fly(stop.signal, landed)), landed, readers: 0 };
    // The readers receive its error; without readers it does not matter.
    flight.result.catch(() => undefined).finally(landed);
    this.#flights.set(key, flight);
    return flight;
  }

  async #placed(signal: AbortSignal, work: () => Promise<V>): Promise<V> {
    if (this.#open >= this.#options.flightsMax) {
      let turn = (): void => undefined;
      const free = new Promise<void>((resolve) => {
        turn = resolve;
        this.#queue.add(turn);
      });
      try {
        await abortable(free, signal);
      } catch (error) {
        // A place that was handed over in the same turn goes to the next.
        if (!this.#queue.delete(turn)) this.#handOver();
        throw error;
      }
    } else this.#opened(1);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#handOver();
    }
  }

  /** Gives a place to the next read; it stays open without one in between. */
  #handOver(): void {
    const [next] = this.#queue;
    if (next === undefined) return this.#opened(-1);
    this.#queue.delete(next);
    next();
  }

  #opened(more: 1 | -1): void {
    this.#open += more;
    this.#options.onOpen(this.#open);
  }
}
