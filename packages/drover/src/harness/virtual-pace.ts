/**
 * Waits for an operator in virtual time: lets everything proceed that needs no time, then advances the clock as far as
 * needed.
 *
 * The embedded server, caches and queues use only this clock, and of all their steps only a request takes a turn of
 * Node's event loop, exactly one. So if a turn is over with no open request and no running reconcile, every watch has
 * delivered everything: the caches have observed the server's last revision.
 */
import type { ManualClock } from "@drover/machinery/testing";
import type { OperatorLife } from "./operator-life.ts";
import type { Pace } from "./pace.ts";
import { endedError, failingError, loopError, stuckError } from "./settle-report.ts";
import { unrestOf } from "./unrest.ts";
import type { Unrest } from "./unrest.ts";

/** Options of a `VirtualPace`. */
export interface VirtualPaceOptions {
  /** Must not settle by itself: `quietTurns` is 0. */
  readonly clock: ManualClock;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Real milliseconds. */
  readonly realTime: () => number;
  /** Pauses in real time, for work that is slow in real time. */
  readonly pause: (ms: number) => Promise<void>;
  /** Virtual milliseconds to wait for failing keys to recover. */
  readonly retryForMs: number;
  /** Real milliseconds without progress before it fails. */
  readonly waitMs: number;
}

/**
 * A run without an open request waits for the clock or for something real, and the pace cannot tell which. So it pauses
 * this many times for a millisecond, then advances the clock, further each time. It counts pauses, not milliseconds: on
 * a busy machine time passes without progress.
 */
const strides: readonly { readonly afterPauses: number; readonly byMs: number }[] = [
  { afterPauses: 50, byMs: 1000 },
  { afterPauses: 75, byMs: 10_000 },
  { afterPauses: 100, byMs: 60_000 },
  { afterPauses: 150, byMs: 300_000 },
];
/** Turns before the first pause. */
const turnsMax = 20;
/** Maximum timers due now that fire before they count as one that rearms itself forever. */
const instantsMax = 1000;
/** A manager stops everything within half a minute; what has not ended long after that never will. */
const endMaxMs = 300_000;

/** The pace of the embedded server, on a manual clock. */
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

  /** Waits until nothing that counts is active. */
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
      // Work that is due now still needs its timer to fire.
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

  /** Waits until nothing proceeds by itself. */
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
      // Fires timers that are due now without advancing the clock; one that rearms itself forever does not block the rest.
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
      const next = strides[stride];
      // On a busy machine the wait may be over before the clock was advanced at all.
      if (waitedMs > waitMs && next === undefined) throw stuckError(life, busy, waitedMs);
      if (++looks > turnsMax) await pause(1);
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
