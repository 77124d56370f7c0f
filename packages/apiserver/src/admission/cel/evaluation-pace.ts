/** Lets other requests have their turn while the expressions of one request are evaluated. */
import type { Pause } from "../../registry/resource.ts";

/** Cost units between two pauses: a few milliseconds. */
const costPerTurn = 20_000;

export class EvaluationPace {
  readonly #pause: Pause | undefined;
  #cost = 0;

  /** Without `pause` there are no pauses. */
  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  get hasPauses(): boolean {
    return this.#pause !== undefined;
  }

  /** Pauses now. */
  async pause(): Promise<void> {
    this.#cost = 0;
    await this.#pause?.();
  }

  /** Counts the cost of an evaluation. Returns a promise to await before the next one, when it is time for a pause. */
  spend(cost: number): Promise<void> | undefined {
    this.#cost += cost;
    if (this.#pause === undefined || this.#cost < costPerTurn) return undefined;
    this.#cost = 0;
    return this.#pause();
  }
}
