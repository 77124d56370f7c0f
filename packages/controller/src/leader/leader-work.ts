/** The work of one term of a lease: starts with the term, stops with it at the latest. */
import { isFenced } from "./fenced-error.ts";
import type { FenceToken } from "./fence-term.ts";

export interface LeaderWorkOptions {
  readonly start: (signal: AbortSignal, token: FenceToken) => Promise<void> | void;
  /** Called when the work rejects, except with the reason it was stopped for; `isLate` if it had already been told to stop. */
  readonly onFailure: (error: unknown, isLate: boolean) => void;
}

/** Guarantees: `ended` never rejects; the work is told to stop when its term ends, at the latest. */
export class LeaderWork {
  readonly token: FenceToken;
  /** Resolves when the work has settled. */
  readonly ended: Promise<void>;
  readonly #controller = new AbortController();
  #hasEnded = false;

  constructor(token: FenceToken, options: LeaderWorkOptions) {
    this.token = token;
    const follow = (): void => this.stop(token.signal.reason);
    token.signal.addEventListener("abort", follow, { once: true });
    this.ended = this.#run(options);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  async #run({ start, onFailure }: LeaderWorkOptions): Promise<void> {
    const { signal } = this.#controller;
    try {
      await start(signal, this.token);
    } catch (error) {
      if (!signal.aborted || (error !== signal.reason && !isFenced(error))) onFailure(error, signal.aborted);
    } finally {
      this.#hasEnded = true;
    }
  }
}
