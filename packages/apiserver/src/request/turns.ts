/**
 * Spreads request work over turns of the event loop, so that handshakes, probes and watches get their share.
 *
 *     request → enter → at once, or in a later turn when this one has lasted long enough
 */
import { budget } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

/** Half of what one request may block: a turn ends at most one request after this. */
const sliceMs = budget({
  name: "apiserver/turn",
  limit: 25,
  unit: "milliseconds",
  atLimit: "Further requests of this turn of the event loop wait for the next; requests with large bodies wait for the others.",
  uncounted: "It is reached in normal operation: nothing is refused, requests only wait for a few milliseconds.",
});

/** How many requests that waited may begin in one turn, if time allows. */
const batchMax = 32;

export interface TurnsOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** Calls back in the next turn of the event loop; `setImmediate`. */
  readonly nextTurn: (callback: () => void) => void;
}

/**
 * Guarantees: connections take turns, among small and among large requests, so that one with a hundred requests does not make the others
 * wait for all of them; first come, first served within a connection. Each turn begins at least one of either that wait.
 */
export class Turns {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #nextTurn: (callback: () => void) => void;
  readonly #small = new FairQueue();
  readonly #large = new FairQueue();
  /** When the first request began since the last turn that was asked for. */
  #began: number | undefined;
  #isAsked = false;

  constructor({ clock, nextTurn }: TurnsOptions) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /**
   * Returns undefined when a request may begin at once, and otherwise a promise that resolves when it may. `connection` is the same object
   * for all requests of a connection.
   */
  enter(isLarge: boolean, connection: object): Promise<void> | undefined {
    const queue = isLarge ? this.#large : this.#small;
    const now = this.#clock.monotonic();
    this.#began ??= now;
    if (queue.size === 0 && now - this.#began < sliceMs.limit) return undefined;
    // A turn is asked for only now: asking for one with every request takes a tenth of the time of a small one. So the time may include
    // turns in which nothing happened, and then the request waits for a moment in vain.
    this.#ask();
    return new Promise((resolve) => {
      queue.push(connection, resolve);
    });
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#nextTurn(() => this.#turn());
  }

  #isSpent(): boolean {
    return this.#began !== undefined && this.#clock.monotonic() - this.#began >= sliceMs.limit;
  }

  /** Each request begins in a callback of its own, so that its work is over before the next looks at the clock. */
  #turn(): void {
    this.#began = undefined;
    this.#isAsked = false;
    const hasLarge = this.#large.size > 0;
    const count = Math.min(this.#small.size, batchMax);
    if (count === 0 && !hasLarge) return;
    let isFirst = true;
    const begin = (queue: FairQueue): void => {
      if (isFirst) this.#began = this.#clock.monotonic();
      isFirst = false;
      queue.shift()?.();
    };
    this.#began = this.#clock.monotonic();
    for (let index = 0; index < count; index++)
      this.#nextTurn(() => {
        if (isFirst || !this.#isSpent()) begin(this.#small);
      });
    if (hasLarge) this.#nextTurn(() => begin(this.#large));
    this.#ask();
  }
}

/** Callbacks by their connection; `shift` takes one of each connection in turn. */
class FairQueue {
  readonly #waiting = new Map<object, (() => void)[]>();
  size = 0;

  push(connection: object, callback: () => void): void {
    this.size++;
    const known = this.#waiting.get(connection);
    if (known === undefined) this.#waiting.set(connection, [callback]);
    else known.push(callback);
  }

  shift(): (() => void) | undefined {
    for (const [connection, callbacks] of this.#waiting) {
      const callback = callbacks.shift();
      this.#waiting.delete(connection);
      if (callbacks.length > 0) this.#waiting.set(connection, callbacks);
      this.size--;
      return callback;
    }
    return undefined;
  }
}
