/**
 * Handlers that are registered together or not at all: caches are created at once, so that they can be started and waited for, and the
 * handlers begin with `commit`.
 *
 *     const transaction = newHandlerTransaction(signal);
 *     pods.registerHandler(transaction, "count", …);
 *     await factory.start(signal); transaction.commit();     or transaction.rollback()
 */

export class HandlerTransaction {
  /** The handlers stay until this is aborted. */
  readonly signal: AbortSignal;
  #steps: (() => void)[] = [];
  #state: "open" | "committed" | "rolled back" = "open";

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Does something at the commit. Throws when that is over. */
  add(step: () => void): void {
    if (this.#state !== "open") throw new Error(`the handler transaction was ${this.#state} already; make a new one`);
    this.#steps.push(step);
  }

  /** Registers what was handed in, in that order. Throws when it was rolled back; a second commit does nothing. */
  commit(): void {
    if (this.#state === "rolled back") throw new Error("the handler transaction was rolled back; it cannot be committed");
    this.#state = "committed";
    for (const step of this.#steps.splice(0)) step();
  }

  /** Forgets what was handed in. After a commit it does nothing: abort the signal to remove handlers. */
  rollback(): void {
    if (this.#state === "committed") return;
    this.#state = "rolled back";
    this.#steps = [];
  }
}

/** A transaction whose handlers stay until the signal is aborted. */
export function newHandlerTransaction(signal: AbortSignal): HandlerTransaction {
  return new HandlerTransaction(signal);
}
