/** A door that opens once. Whoever comes later walks through; whoever came earlier waited. */
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

  /** It will never open; whoever waits, now or later, is told why. */
  break(error: unknown): void {
    this.#error = error;
    this.#end("broken");
  }

  /** Resolves when it is open. Rejects with the signal's reason, if there is a signal, or with what broke it. */
  wait(signal?: AbortSignal): Promise<void> {
    // Asked first: an open door needs no signal.
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
