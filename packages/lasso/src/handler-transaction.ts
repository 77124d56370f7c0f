/**
 * Registers handlers together or not at all: caches are created immediately, so that they can start and sync, and the handlers start to run
 * with `commit`.
 *
 *     const transaction = newHandlerTransaction(signal);
 *     pods.registerHandler(transaction, "count", …);
 *     await factory.start(signal); transaction.commit();     or transaction.rollback()
 */

/** Handlers that are registered on `commit`. */
export class HandlerTransaction {
  /** Removes the handlers when it aborts. */
  readonly signal: AbortSignal;
  #steps: (() => void)[] = [];
  #state: "open" | "committed" | "rolled back" = "open";

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Adds a step to run on commit. Throws if the transaction has ended. */
  add(step: () => void): void {
    if (this.#state !== "open") throw new Error(`the handler transaction was already ${this.#state}; create a new one`);
    this.#steps.push(step);
  }

  /** Runs the steps in order. Throws if the transaction was rolled back; a second commit does nothing. */
  commit(): void {
    if (this.#state === "rolled back") throw new Error("the handler transaction was rolled back; it cannot be committed");
    this.#state = "committed";
    for (const step of this.#steps.splice(0)) step();
  }

  /** Discards the steps. Does nothing after a commit: abort the signal to remove handlers. */
  rollback(): void {
    if (this.#state === "committed") return;
    this.#state = "rolled back";
    this.#steps = [];
  }
}

/** Returns a transaction whose handlers stay until the signal aborts. */
export function newHandlerTransaction(signal: AbortSignal): HandlerTransaction {
  return new HandlerTransaction(signal);
}
