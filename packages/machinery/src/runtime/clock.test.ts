import { describe, expect, it } from "vitest";
import { createClock } from "./clock.ts";
import type { Clock, ClockHost } from "./clock.ts";

/** A host like Node: whole milliseconds, at least 1, overflow to 1 beyond 2^31−1, and timers that fire `earlyMs` too early. */
class Host implements ClockHost {
  time = 0.5;
  readonly timers = new Map<number, { readonly due: number; readonly callback: () => void }>();
  readonly delays: number[] = [];
  #next = 1;
  readonly #earlyMs: number;

  constructor(earlyMs = 0) {
    this.#earlyMs = earlyMs;
  }
  now(): number {
    return 1_000_000 + this.time;
  }
  monotonic(): number {
    return this.time;
  }
  setTimeout(callback: () => void, delayMs: number): unknown {
    this.delays.push(delayMs);
    const effective = delayMs > 2 ** 31 - 1 || delayMs < 1 ? 1 : Math.trunc(delayMs);
    this.timers.set(this.#next, { due: this.time + Math.max(0.25, effective - this.#earlyMs), callback });
    return this.#next++;
  }
  clearTimeout(handle: unknown): void {
    this.timers.delete(handle as number);
  }
  /** Fires the next timer; what it throws is returned, as a host would report it. */
  step(): unknown {
    const [id, timer] = [...this.timers].toSorted(([, a], [, b]) => a.due - b.due)[0] ?? [];
    if (id === undefined || timer === undefined) throw new Error("no timer");
    this.timers.delete(id);
    this.time = Math.max(this.time, timer.due);
    try {
      timer.callback();
    } catch (error) {
      return error;
    }
    return undefined;
  }
  runAll(): void {
    while (this.timers.size > 0) this.step();
  }
}

const firedAt = (host: Host, clock: Clock, delayMs: number): number | undefined => {
  let at: number | undefined;
  clock.timer(delayMs, () => (at = host.time));
  host.runAll();
  return at;
};

describe("createClock", () => {
  it.each([1, 1.5, 10, 12_345, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 86_400_000 * 3650])("waits %d ms and at most one more", (delay) => {
    const host = new Host();
    const at = firedAt(host, createClock(host), delay);
    expect(at).toBeGreaterThanOrEqual(0.5 + delay);
    expect(at).toBeLessThanOrEqual(0.5 + delay + 1);
    expect(Math.max(...host.delays)).toBeLessThanOrEqual(2 ** 31 - 1);
  });

  it.each([1, 2, 10, 2 ** 31 + 7])("never fires early on a host that does: %d ms", (delay) => {
    const host = new Host(0.9);
    expect(firedAt(host, createClock(host), delay)).toBeGreaterThanOrEqual(0.5 + delay);
  });

  it.each([0, -1, NaN])("uses the host's next turn for %d, where it has one, and can cancel it", (delay) => {
    const host = new Host();
    const immediates = new Map<number, () => void>();
    const clock = createClock({
      now: () => host.now(),
      monotonic: () => host.monotonic(),
      setTimeout: (callback, delayMs) => host.setTimeout(callback, delayMs),
      clearTimeout: (handle) => host.clearTimeout(handle),
      setImmediate: (callback) => immediates.set(immediates.size, callback).size - 1,
      clearImmediate: (handle) => void immediates.delete(handle as number),
    });
    let fired = 0;
    clock.timer(delay, () => fired++);
    const cancel = clock.timer(delay, () => fired++);
    cancel();
    cancel();
    for (const callback of immediates.values()) callback();
    expect(fired).toBe(1);
    expect(host.timers.size).toBe(0);
  });

  it("treats zero, negative and NaN as the next turn, never this one", () => {
    for (const delay of [0, -1, -Infinity, NaN]) {
      const host = new Host();
      let fired = false;
      createClock(host).timer(delay, () => (fired = true));
      expect(fired).toBe(false);
      expect(host.delays).toEqual([0]);
      host.runAll();
      expect(fired).toBe(true);
    }
  });

  it("treats infinity as never", () => {
    const host = new Host();
    const cancel = createClock(host).timer(Infinity, () => expect.unreachable());
    expect(host.timers.size).toBe(0);
    cancel();
  });

  it("leaves no host timer after a cancel, and cancels once, twice and after firing", () => {
    const host = new Host();
    const clock = createClock(host);
    const cancel = clock.timer(2 ** 33, () => expect.unreachable());
    host.step();
    cancel();
    cancel();
    expect(host.timers.size).toBe(0);
    const cancelFired = clock.timer(1, () => cancelFired());
    host.runAll();
    clock.timer(1, () => undefined);
    cancelFired();
    expect(host.timers.size).toBe(1);
  });

  it("passes exceptions of a callback to the host, and fires it once and the others all the same", () => {
    const host = new Host();
    const clock = createClock(host);
    let calls = 0;
    let other = false;
    clock.timer(5, () => {
      calls++;
      throw new Error("boom");
    });
    clock.timer(6, () => (other = true));
    expect(host.step()).toEqual(new Error("boom"));
    host.runAll();
    expect([calls, other]).toEqual([1, true]);
  });

  it("returns the time of its host", () => {
    const clock = createClock(new Host());
    expect([clock.now(), clock.monotonic()]).toEqual([1_000_000.5, 0.5]);
  });
});
