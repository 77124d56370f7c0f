/** A latch that opens once: waiters before that wait, later ones do not. */
import { abortable } from "./wait.ts";

export class Latch {
  #state: "closed" | "open" | "broken" = "closed";
  #promise: Promise<void> | undefined;
  #settle: (() => void) | undefined;
  #error: unknown;

  get isOpen(): boolean {
    return this.#state === "open";
  }

  open(): void {
    this.#end("open");
  }

  /** Marks the latch as never opening: current and later waiters reject with the error. */
  break(error: unknown): void {
    if (this.#state !== "broken") this.#error = error;
    this.#end("broken");
  }

  /** Resolves when the latch is open. Rejects with the signal's reason, or with the error passed to `break`. */
  wait(signal?: AbortSignal): Promise<void> {
    // Checked first: an open latch ignores the signal.
    if (this.#state === "open") return Promise.resolve();
    if (this.#state === "broken") return Promise.reject(this.#error);
    this.#promise ??= new Promise((resolve, reject) => {
      this.#settle = () => (this.#state === "open" ? resolve() : reject(this.#error));
    });
    return signal === undefined ? this.#promise : abortable(this.#promise, signal);
  }

  #end(state: "open" | "broken"): void {
    if (this.#state !== "closed") return;
    this.#state = state;
    this.#settle?.();
  }
}
