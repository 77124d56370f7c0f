/**
 * Waits for an operator on a real cluster, in real time: it counts as idle if nothing is left to do and nothing
 * happened for a while. This is a heuristic, because watches of a real server may lag.
 */
import { NotSettledError } from "./not-settled-error.ts";
import type { OperatorLife } from "./operator-life.ts";
import type { Pace } from "./pace.ts";
import { endedError, failingError, loopError } from "./settle-report.ts";
import { unrestOf } from "./unrest.ts";
import type { Unrest } from "./unrest.ts";

/** Options of a `LivePace`. */
export interface LivePaceOptions {
  /** Real milliseconds. */
  readonly realTime: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Milliseconds without progress that count as idle. */
  readonly quietMs: number;
  /** Timeout in milliseconds. */
  readonly waitMs: number;
}

const lookEveryMs = 10;

/** The pace of a real cluster. */
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
        "advance: time cannot be advanced on a real cluster; run this test on the embedded server, with a harness without `on`",
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
        throw failingError(life, unrest.length > 0 ? unrest : [{ what: "requests continue without end" }], nowMs - beganMs);
      moves = life.moves + life.traffic.heard;
    }
  }
}
