/** What a turn needs of a `Clock`. */
export interface TurnClock {
  monotonic(): number;
  timer(delayMs: number, callback: () => void): () => void;
}

/** The current turn of an event loop, shared by all work that is cut into slices: see `TurnKeeper`. */
export class Turn {
  readonly #workers = new Set<object>();
  /** How many workers the turn before had. */
  #before = 0;
  #cancel: () => void = () => undefined;
  /** When the first worker joined. */
  beganMs = 0;

  /** How many workers share this turn, as far as it is known. */
  get workers(): number {
    return Math.max(this.#before, this.#workers.size);
  }

  has(worker: object): boolean {
    return this.#workers.has(worker);
  }

  join(worker: object, clock: TurnClock): void {
    if (this.#workers.size === 0) {
      this.beganMs = clock.monotonic();
      this.#cancel = clock.timer(0, () => {
        this.#before = this.#workers.size;
        this.#workers.clear();
      });
    }
    this.#workers.add(worker);
  }

  /** The last to leave leaves no timer behind. */
  leave(worker: object): void {
    if (this.#workers.delete(worker) && this.#workers.size === 0) this.#cancel();
  }
}
