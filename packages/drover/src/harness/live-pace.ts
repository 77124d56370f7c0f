/**
 * Waits for an operator on a real cluster, in real time: it is at rest when nothing was left to do and nothing came for a while. That is a
 * judgement and no proof, for the watches of a real server may be late.
 */
import { NotSettledError } from "./not-settled-error.ts";
import type { OperatorLife } from "./operator-life.ts";
import type { Pace } from "./pace.ts";
import { endedError, failingError, loopError } from "./settle-report.ts";
import { unrestOf } from "./unrest.ts";
import type { Unrest } from "./unrest.ts";

export interface LivePaceOptions {
  /** Real milliseconds. */
  readonly realTime: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** How long nothing must have moved. */
  readonly quietMs: number;
  /** How long it may take. */
  readonly waitMs: number;
}

const lookEveryMs = 10;

export class LivePace implements Pace {
  readonly #options: LivePaceOptions;

  constructor(options: LivePaceOptions) {
    this.#options = options;
  }

  async started(current: () => OperatorLife): Promise<void> {
    await this.#quiet(current, 0, ({ failing }) => failing === undefined);
  }

  async settle(current: () => OperatorLife): Promise<void> {
    await this.#quiet(current, this.#options.quietMs, () => true);
  }

  advance(): Promise<void> {
    return Promise.reject(
      new NotSettledError(
        "stuck",
        "advance: the time of a real cluster cannot be moved; run this test on the embedded server, which is what a harness without `on` does",
        [],
      ),
    );
  }

  async ended(life: OperatorLife): Promise<void> {
    while (!life.isOver) await this.#options.pause(lookEveryMs);
  }

  async #quiet(current: () => OperatorLife, quietMs: number, counts: (unrest: Unrest) => boolean): Promise<void> {
    const { realTime, pause, waitMs } = this.#options;
    const beganMs = realTime();
    let moves = -1;
    let quietSinceMs = beganMs;
    for (;;) {
      await pause(lookEveryMs);
      const life = current();
      life.turned();
      if (life.spin !== undefined) throw loopError(life, life.spin);
      if (life.failure !== undefined) throw endedError(life.failure);
      const unrest = unrestOf(life.view()).filter(counts);
      const nowMs = realTime();
      if (unrest.length > 0 || moves !== life.moves + life.traffic.heard) quietSinceMs = nowMs;
      if (unrest.length === 0 && nowMs - quietSinceMs >= quietMs) return;
      if (nowMs - beganMs > waitMs)
        throw failingError(life, unrest.length > 0 ? unrest : [{ what: "requests go back and forth" }], nowMs - beganMs);
      moves = life.moves + life.traffic.heard;
    }
  }
}
