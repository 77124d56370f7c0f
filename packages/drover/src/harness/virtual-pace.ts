/**
 * Waits for an operator without waiting: whatever can go on without time does, and then the clock is moved, as far as somebody needs it.
 *
 * The embedded server, the caches and the queues know no other time than this clock, and nothing of them takes a turn of Node's event loop
 * but a request, which takes exactly one. So when a turn is over, no request is open and no run is under way, every watch has brought all
 * there is: the caches have seen the server's last revision.
 */
import type { ManualClock } from "@drover/machinery/testing";
import type { OperatorLife } from "./operator-life.ts";
import type { Pace } from "./pace.ts";
import { endedError, failingError, loopError, stuckError } from "./settle-report.ts";
import { unrestOf } from "./unrest.ts";
import type { Unrest } from "./unrest.ts";

export interface VirtualPaceOptions {
  /** Does not settle by itself: `quietTurns` is 0. */
  readonly clock: ManualClock;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Real milliseconds. */
  readonly realTime: () => number;
  /** A real pause, for what is really slow. */
  readonly pause: (ms: number) => Promise<void>;
  /** For how much time of the clock failures are waited out. */
  readonly retryForMs: number;
  /** For how much real time nothing may move. */
  readonly waitMs: number;
}

/**
 * A run that waits without an open request may wait for the clock or for something real, and nothing tells which. So it
 * is left alone for so many pauses of a
 * millisecond, and then the clock is moved, further each time. Pauses and not milliseconds: on a busy machine these
 * pass without anybody having had a turn.
 */
const strides: readonly { readonly afterPauses: number; readonly byMs: number }[] = [
  { afterPauses: 50, byMs: 1000 },
  { afterPauses: 75, byMs: 10_000 },
  { afterPauses: 100, byMs: 60_000 },
  { afterPauses: 150, byMs: 300_000 },
];
/** How many turns are taken before the pauses begin. */
const turnsMax = 20;
/** How many timers that are due at once fire before they are taken for one that sets itself for ever. */
const instantsMax = 1000;
/** A manager gives everything half a minute; what has not ended long after that never will. */
const endMaxMs = 300_000;

export class VirtualPace implements Pace {
  readonly #options: VirtualPaceOptions;

  constructor(options: VirtualPaceOptions) {
    this.#options = options;
  }

  async started(current: () => OperatorLife): Promise<void> {
    await this.#restful(current, ({ failing }) => failing === undefined);
  }

  async settle(current: () => OperatorLife): Promise<void> {
    await this.#restful(current, () => true);
  }

  async advance(current: () => OperatorLife, byMs: number): Promise<void> {
    await this.#still(current);
    await this.#move(current, byMs);
  }

  async ended(life: OperatorLife): Promise<void> {
    const { clock, turn } = this.#options;
    const untilMs = clock.monotonic() + endMaxMs;
    while (!life.isOver && clock.monotonic() < untilMs) {
      for (let turns = 0; turns < 5 && !life.isOver; turns++) await turn();
      if (!life.isOver && !(await clock.runNext({ limitMs: endMaxMs }))) return;
    }
  }

  /** Until nothing that counts is left. */
  async #restful(current: () => OperatorLife, counts: (unrest: Unrest) => boolean): Promise<void> {
    const { clock, retryForMs } = this.#options;
    const beganMs = clock.monotonic();
    for (;;) {
      await this.#still(current);
      const unrest = unrestOf(current().view()).filter(counts);
      if (unrest.length === 0) return;
      const slowed = unrest.find(({ putOff }) => putOff !== undefined)?.putOff;
      if (slowed !== undefined && !unrest.some(({ isStale }) => isStale === true))
        throw loopError(current(), { ...slowed, runs: current().runsOf(slowed) });
      const dueInMs = Math.min(...unrest.map((one) => one.dueInMs ?? 0));
      const movedMs = clock.monotonic() - beganMs;
      if (movedMs + dueInMs > retryForMs) throw failingError(current(), unrest, movedMs);
      // What is due now still needs a timer to fire.
      if (dueInMs > 0) await this.#move(current, dueInMs);
      else if (await clock.runNext({ limitMs: retryForMs - movedMs })) current().newMoment();
      else throw failingError(current(), unrest, movedMs);
    }
  }

  async #move(current: () => OperatorLife, byMs: number): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.monotonic() + byMs;
    for (;;) {
      const leftMs = untilMs - clock.monotonic();
      if (leftMs <= 0 || !(await clock.runNext({ limitMs: leftMs }))) break;
      current().newMoment();
      await this.#still(current);
    }
    await clock.advance(Math.max(0, untilMs - clock.monotonic()));
    current().newMoment();
    await this.#still(current);
  }

  /** Until nothing goes on by itself any more. */
  async #still(current: () => OperatorLife): Promise<void> {
    const { turn, realTime, pause, waitMs, clock } = this.#options;
    let moves = -1;
    let sinceMs = realTime();
    let looks = 0;
    let stride = 0;
    let instants = 0;
    for (;;) {
      await turn();
      const life = current();
      life.turned();
      // What asked for the next turn has it without the clock moving; what does so for ever does not keep the others from their rest.
      if (instants < instantsMax && (await clock.runNext({ limitMs: 0 }))) {
        instants++;
        continue;
      }
      if (life.spin !== undefined) throw loopError(life, life.spin);
      if (life.failure !== undefined) throw endedError(life.failure);
      const busy = unrestOf(life.view()).filter(({ dueInMs }) => dueInMs === undefined);
      if (busy.length === 0) return;
      if (moves !== life.moves) {
        moves = life.moves;
        sinceMs = realTime();
        looks = 0;
        stride = 0;
        continue;
      }
      const waitedMs = realTime() - sinceMs;
      if (waitedMs > waitMs) throw stuckError(life, busy, waitedMs);
      if (++looks > turnsMax) await pause(1);
      const next = strides[stride];
      if (next === undefined || looks - turnsMax < next.afterPauses) continue;
      stride++;
      const untilMs = clock.monotonic() + next.byMs;
      while (clock.monotonic() < untilMs && moves === life.moves) {
        if (!(await clock.runNext({ limitMs: untilMs - clock.monotonic() }))) break;
        await turn();
      }
    }
  }
}
