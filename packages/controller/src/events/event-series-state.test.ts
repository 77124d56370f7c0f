import type { Event } from "@drover/api/events/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventSeriesState } from "./event-series-state.ts";
import type { EventWrite, Observed } from "./event-series-state.ts";

const minute = 60_000;
const timeAt = (nowMs: number): string => `t${nowMs}`;

/** A state with short helpers for its events. */
class Rig {
  readonly state: EventSeriesState;
  made = 0;

  constructor(options: ConstructorParameters<typeof EventSeriesState>[0] = {}) {
    this.state = new EventSeriesState(options, 0);
  }

  observe(key: string, nowMs: number, isAllowed = true): Observed {
    const first = (): Event => ({ metadata: { name: `e${++this.made}` }, eventTime: timeAt(nowMs) });
    return this.state.observe(key, { first, allows: () => isAllowed, nowMs, time: timeAt(nowMs) });
  }

  /** Writes what is pending about a key. */
  write(key: string, nowMs: number): EventWrite | undefined {
    const write = this.state.pendingWrite(key);
    if (write !== undefined) this.state.written(write, nowMs);
    return write;
  }
}

describe("EventSeriesState", () => {
  it("writes the first occurrence, starts a series at the second, and counts the others", () => {
    const rig = new Rig();
    expect([rig.observe("a", 0).outcome, rig.write("a", 0)]).toEqual([
      "write",
      { key: "a", event: { metadata: { name: "e1" }, eventTime: "t0" }, count: 1, isOnServer: false },
    ]);
    expect([rig.observe("a", 5).outcome, rig.write("a", 5)]).toEqual([
      "write",
      {
        key: "a",
        event: { metadata: { name: "e1" }, eventTime: "t0", series: { count: 2, lastObservedTime: "t5" } },
        count: 2,
        isOnServer: true,
      },
    ]);
    expect([rig.observe("a", 6).outcome, rig.observe("a", 7).outcome, rig.state.owed()]).toEqual(["counted", "counted", 2]);
  });

  it("ends a series exactly at the time of nextDue, with any fraction of a millisecond", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (at) => {
        const rig = new Rig();
        rig.observe("a", at);
        rig.write("a", at);
        const next = rig.state.nextDue(at);
        rig.state.due(next);
        return rig.state.nextDue(next) > next;
      }),
    );
  });

  it("has one write for an event that occurred twice before it was written", () => {
    const rig = new Rig();
    rig.observe("a", 0);
    rig.observe("a", 1);
    expect(rig.write("a", 2)).toMatchObject({ event: { series: { count: 2, lastObservedTime: "t1" } }, isOnServer: false });
    expect(rig.write("a", 3)).toBeUndefined();
  });

  it("writes the counts of running series every thirty minutes", () => {
    const rig = new Rig();
    for (let at = 0; at < 30; at += 5) {
      rig.observe("a", at * minute);
      if (at <= 5) rig.write("a", at * minute);
      expect(rig.state.due(at * minute)).toEqual([]);
    }
    expect([
      rig.state.nextDue(26 * minute),
      rig.state.due(30 * minute),
      rig.write("a", 30 * minute)?.count,
      rig.state.due(30 * minute),
    ]).toEqual([30 * minute, ["a"], 6, []]);
  });

  it("writes the last count six minutes after the last occurrence, then ends the series", () => {
    const rig = new Rig();
    for (const at of [0, 1, 2, 3]) {
      rig.observe("a", at * minute);
      if (at < 2) rig.write("a", at * minute);
    }
    expect([rig.state.due(9 * minute - 1), rig.state.nextDue(4 * minute), rig.state.due(9 * minute)]).toEqual([[], 9 * minute, ["a"]]);
    expect([rig.write("a", 9 * minute)?.event.series, rig.state.size]).toEqual([{ count: 4, lastObservedTime: timeAt(3 * minute) }, 0]);
    expect(rig.observe("a", 10 * minute).outcome).toBe("write");
    expect(rig.state.pendingWrite("a")).toMatchObject({ event: { metadata: { name: "e2" } }, count: 1 });
  });

  it("forgets an event that occurred once after six minutes, without another write", () => {
    const rig = new Rig();
    rig.observe("a", 0);
    rig.write("a", 0);
    expect([rig.state.due(6 * minute), rig.state.size, rig.state.nextDue(6 * minute)]).toEqual([[], 0, Infinity]);
  });

  it("starts a new event after six minutes even if due was not called", () => {
    const rig = new Rig();
    rig.observe("a", 0);
    rig.write("a", 0);
    rig.observe("a", 6 * minute);
    expect(rig.state.pendingWrite("a")).toMatchObject({ event: { metadata: { name: "e2" } }, isOnServer: false });
  });

  it("continues a series whose last count is not written yet", () => {
    const rig = new Rig();
    rig.observe("a", 0);
    rig.observe("a", 7 * minute);
    expect(rig.state.pendingWrite("a")).toMatchObject({ event: { metadata: { name: "e1" } }, count: 2 });
  });

  it("forgets spam, and counts the second occurrence even if its write is not allowed", () => {
    const rig = new Rig();
    expect([rig.observe("a", 0, false).outcome, rig.state.size, rig.made]).toEqual(["spam", 0, 0]);
    expect([rig.observe("b", 0).outcome, rig.observe("b", 1, false).outcome, rig.state.owed()]).toEqual(["write", "counted", 2]);
  });

  it("evicts the event that has been quiet longest, and returns what is lost", () => {
    const rig = new Rig({ entriesMax: 2 });
    for (const key of ["a", "b", "a", "a"]) rig.observe(key, 0);
    rig.write("a", 0);
    expect([rig.observe("c", 1).forgotten, rig.observe("d", 2).forgotten, rig.state.unwritten()]).toEqual([1, 0, ["c", "d"]]);
  });

  it("applies a write to the event it was for, not to the next one with the same key", () => {
    const rig = new Rig({ entriesMax: 1 });
    for (const at of [0, 1, 2]) rig.observe("a", at);
    const write = rig.state.pendingWrite("a");
    if (write === undefined) throw new Error("nothing to write");
    rig.observe("b", 3);
    rig.observe("a", 4);
    expect([rig.state.written(write, 5), rig.state.failed(write), rig.state.pendingWrite("a")]).toMatchObject([
      0,
      0,
      { event: { metadata: { name: "e3" } }, count: 1 },
    ]);
  });

  it("putOff forgets an event that is not on the server, and only delays the count of one that is", () => {
    const rig = new Rig();
    rig.observe("a", 0);
    rig.observe("b", 0);
    rig.write("b", 0);
    rig.observe("b", 1);
    expect([rig.state.putOff("a"), rig.state.putOff("b"), rig.state.putOff("c"), rig.state.unwritten()]).toEqual([1, 0, 0, ["b"]]);
  });

  it("rejects invalid times", () => {
    expect(() => new EventSeriesState({ finishMs: 0 }, 0)).toThrow("finishMs must be above 0");
    expect(() => new EventSeriesState({ refreshMs: NaN }, 0)).toThrow("refreshMs must be above 0");
  });

  it("accounts for every occurrence, for random operations", () => {
    const key = fc.constantFrom("a", "b", "c");
    const step = fc.record({
      do: fc.constantFrom(
        "observe" as const,
        "observe" as const,
        "spam" as const,
        "write" as const,
        "fail" as const,
        "putOff" as const,
        "due" as const,
      ),
      key,
      waitMs: fc.nat(2 * minute),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { state, ...rig } = new Rig({ entriesMax: 2 });
        let [now, observed, told] = [0, 0, 0];
        for (const { do: what, key: of, waitMs } of steps) {
          now += waitMs;
          const write = state.pendingWrite(of);
          if (what === "observe" || what === "spam") {
            const first = (): Event => ({ metadata: { name: `e${++rig.made}` }, eventTime: "" });
            const { outcome, forgotten } = state.observe(of, { first, allows: () => what === "observe", nowMs: now, time: "" });
            observed++;
            told += forgotten + (outcome === "spam" ? 1 : 0);
          } else if (what === "putOff") told += state.putOff(of);
          else if (what === "due") state.due(now);
          else if (write !== undefined) told += what === "write" ? state.written(write, now) : state.failed(write);
        }
        expect(told + state.owed()).toBe(observed);
      }),
    );
  });
});
