/**
 * A clock that stands still until a test advances it. Waits on it proceed in the order of time, as fast as the machine can.
 *
 *     const clock = new ManualClock();
 *     const slept = sleep(clock, 1000);
 *     await clock.advance(1000);
 */
import type { Clock } from "../runtime/clock.ts";

export interface ManualClockOptions {
  /** Wall time at the start, in milliseconds since 1970. @default 1767225600000, 2026-01-01T00:00:00Z */
  readonly nowMs?: number;
  /**
   * Number of microtask turns without a use of this clock that count as quiet. A chain of promises is followed to its end if it has
   * fewer steps than this between two uses.
   * @default 256
   */
  readonly quietTurns?: number;
  /**
   * Lets other code run for one turn. To follow the host's queues as well, pass a function that waits for its next turn
   * (`setImmediate` in Node), with few `quietTurns`.
   * @default one turn of the microtask queue
   */
  readonly turn?: () => Promise<void>;
  /** Maximum timers that may fire within one call before it counts as an endless loop. @default 1000000 */
  readonly firingsMax?: number;
  /**
   * Maximum turns in which something uses the clock while time stands still, before they count as an endless loop: two controllers that
   * undo each other's writes need no time for that. @default 100000
   */
  readonly turnsMax?: number;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * Guarantees: timers fire in order of time, then of creation; between two timers, before the first and after the last, promise
 * chains run until nothing has used the clock for `quietTurns` turns. Timers that they set within the window fire in the same call.
 * Real timers and sockets are not waited for.
 *
 * A callback that throws does not keep the others from firing; the call then rejects with the first such error.
 */
export class ManualClock implements Clock {
  #elapsedMs = 0;
  #wallOffsetMs: number;
  #order = 0;
  #touches = 0;
  #moving = false;
  /** Ascending by time, then by creation. */
  readonly #timers: Timer[] = [];
  readonly #quietTurns: number;
  readonly #turn: () => Promise<void>;
  readonly #firingsMax: number;
  readonly #turnsMax: number;
  /** Turns in which something used the clock since time last moved. */
  #busyTurns = 0;
  readonly #witnesses: (() => string)[] = [];

  constructor({
    nowMs = 1_767_225_600_000,
    quietTurns = 256,
    turn = () => Promise.resolve(),
    firingsMax = 1_000_000,
    turnsMax = 100_000,
  }: ManualClockOptions = {}) {
    this.#turn = turn;
    this.#wallOffsetMs = nowMs;
    this.#quietTurns = quietTurns;
    this.#firingsMax = firingsMax;
    this.#turnsMax = turnsMax;
  }

  /** Adds a function that describes what keeps running, for the error of an endless loop; "" if it does not know. */
  onEndless(witness: () => string): void {
    this.#witnesses.push(witness);
  }

  now(): number {
    this.#touches++;
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  monotonic(): number {
    this.#touches++;
    return this.#elapsedMs;
  }

  timer(delayMs: number, callback: () => void): () => void {
    this.#touches++;
    if (delayMs === Infinity) return () => undefined;
    const timer: Timer = { dueMs: this.#elapsedMs + (delayMs > 0 ? delayMs : 0), order: this.#order++, callback };
    this.#timers.splice(this.#placeOf(timer), 0, timer);
    return () => {
      this.#touches++;
      const place = this.#placeOf(timer);
      if (this.#timers[place] === timer) this.#timers.splice(place, 1);
    };
  }

  /** Milliseconds until each pending timer, ascending. */
  get pending(): readonly number[] {
    return this.#timers.map(({ dueMs }) => dueMs - this.#elapsedMs);
  }

  /** Sets the wall clock, as an administrator would; monotonic time and timers are not affected. */
  setNow(nowMs: number): void {
    this.#wallOffsetMs = nowMs - this.#elapsedMs;
  }

  /**
   * Lets promise chains run; time stands still and no timer fires. Rejects if they never end, see `turnsMax`; what runs then continues with
   * the next call.
   */
  async settle(): Promise<void> {
    let quiet = 0;
    while (quiet < this.#quietTurns) {
      const before = this.#touches;
      await this.#turn();
      if (this.#touches === before) quiet++;
      else {
        quiet = 0;
        if (++this.#busyTurns > this.#turnsMax) throw this.#endless();
      }
    }
  }

  #endless(): Error {
    const turns = this.#busyTurns;
    this.#busyTurns = 0;
    const seen = this.#witnesses.map((witness) => witness()).filter((text) => text !== "");
    const what = seen.length === 0 ? "" : `; ${seen.join("; ")}`;
    return new Error(`work went on for ${turns} turns while time stood still, which looks like an endless loop${what}`);
  }

  /** Advances time and fires due timers; resolves when everything that follows has settled. */
  async advance(byMs: number): Promise<void> {
    if (!(byMs >= 0) || byMs === Infinity)
      throw new RangeError(`advance: time goes forward by a finite number of milliseconds, not by ${byMs}; to run everything use runAll`);
    const until = this.#elapsedMs + byMs;
    await this.#move((next) => next <= until, until);
  }

  /** Advances time until the wall clock shows `nowMs`. */
  async advanceTo(nowMs: number): Promise<void> {
    await this.advance(nowMs - this.#wallOffsetMs - this.#elapsedMs);
  }

  /**
   * Fires timer after timer until `holds` returns true; throws when no timer is left, or none within `limitMs`, and it still does
   * not hold.
   */
  async runUntil(holds: () => boolean, { limitMs = Infinity }: { readonly limitMs?: number } = {}): Promise<void> {
    const until = this.#elapsedMs + limitMs;
    await this.#move((next) => !holds() && next <= until);
    if (!holds())
      throw new Error(
        `runUntil: ${this.#timers.length === 0 ? "no timer is left" : `${limitMs} ms have passed`}, and the condition does not hold`,
      );
  }

  /** Fires the next timer if it is due within `limitMs`. Returns whether one fired; if none did, time stands still. */
  async runNext({ limitMs = Infinity }: { readonly limitMs?: number } = {}): Promise<boolean> {
    const until = this.#elapsedMs + limitMs;
    let fired = false;
    await this.#move((next) => !fired && (fired = next <= until));
    return fired;
  }

  /** Fires timer after timer until none is left. */
  async runAll(): Promise<void> {
    await this.#move(() => true);
  }

  async #move(goesOn: (nextMs: number) => boolean, untilMs = 0): Promise<void> {
    if (this.#moving) throw new Error("this clock is already advancing; await one call before the next");
    this.#moving = true;
    const failures: unknown[] = [];
    try {
      await this.settle();
      for (let fired = 0, next = this.#timers[0]; next !== undefined && goesOn(next.dueMs); fired++, next = this.#timers[0]) {
        if (fired >= this.#firingsMax) throw new Error(`${fired} timers have fired in one call, which looks like an endless loop`);
        this.#fire(next, failures);
        await this.settle();
      }
      if (this.#elapsedMs < untilMs) {
        this.#moveTo(untilMs);
        await this.settle();
      }
    } finally {
      this.#moving = false;
    }
    // oxlint-disable-next-line typescript/only-throw-error -- what a callback threw is passed on as it is
    if (failures.length > 0) throw failures[0];
  }

  #fire(timer: Timer, failures: unknown[]): void {
    this.#timers.shift();
    this.#moveTo(timer.dueMs);
    try {
      timer.callback();
    } catch (error) {
      failures.push(error);
    }
  }

  #moveTo(elapsedMs: number): void {
    if (elapsedMs <= this.#elapsedMs) return;
    this.#elapsedMs = elapsedMs;
    this.#busyTurns = 0;
  }

  /** Index of a timer, or where to insert it. */
  #placeOf({ dueMs, order }: Timer): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle];
      if (other !== undefined && (other.dueMs < dueMs || (other.dueMs === dueMs && other.order < order))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
