import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./exchange.ts";
import type { Target } from "./exchange.ts";

/** Asks the server a small question all the time while an attack goes on, and remembers the longest silence. */
export class Canary {
  readonly #target: Target;
  readonly #over = new AbortController();
  #silentMs = 0;
  #askedAt: number | undefined;
  #failure: string | undefined;

  constructor(target: Target) {
    this.#target = target;
    void this.#sing();
  }

  /** Longest time between a question and its answer, the current question included. */
  get silentMs(): number {
    return Math.max(this.#silentMs, this.#askedAt === undefined ? 0 : performance.now() - this.#askedAt);
  }

  /** The first wrong answer; undefined if there was none. */
  get failure(): string | undefined {
    return this.#failure;
  }

  stop(): void {
    this.#over.abort();
  }

  async #sing(): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#askedAt = performance.now();
      try {
        const { status } = await ask(this.#target, { path: "/api/v1/namespaces/default", timeoutMs: 60_000 });
        if (status !== 200) this.#failure ??= `a small request was answered with ${status}`;
      } catch (error) {
        if (!this.#over.signal.aborted) this.#failure ??= `a small request failed: ${(error as Error).message}`;
      }
      this.#silentMs = Math.max(this.#silentMs, performance.now() - this.#askedAt);
      this.#askedAt = undefined;
      await pause(20);
    }
  }
}
