/** A runnable that can be stopped alone while its group continues. */
import { errorCause, errorName } from "@drover/machinery";
import type { Runnable } from "./runnable.ts";

/** Guarantees: nothing of it starts after `remove`; ending because of the removal is not a failure. */
export class Removable implements Pick<Runnable, "name" | "run" | "warmUp" | "ready"> {
  readonly runnable: Runnable;
  readonly #removal = new AbortController();
  readonly #lives = new Set<Promise<void>>();

  constructor(runnable: Runnable) {
    this.runnable = runnable;
  }

  get name(): string {
    return this.runnable.name;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#live(signal, (either) => this.runnable.run(either));
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    await this.#live(signal, async (either) => this.runnable.warmUp?.(either));
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#live(signal, async (either) => this.runnable.ready?.(either));
  }

  /** Stops the runnable and resolves when all of it has ended. */
  async remove(): Promise<void> {
    this.#removal.abort(new DOMException(`${this.name} was removed from its manager`, "AbortError"));
    await Promise.allSettled(this.#lives);
  }

  async #live(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const removed = this.#removal.signal;
    if (removed.aborted) return;
    const life = work(AbortSignal.any([signal, removed]));
    this.#lives.add(life);
    try {
      await life;
    } catch (error) {
      if (!removed.aborted || (errorName(error) !== "AbortError" && errorCause(error) !== removed.reason)) throw error;
    } finally {
      this.#lives.delete(life);
    }
  }
}
