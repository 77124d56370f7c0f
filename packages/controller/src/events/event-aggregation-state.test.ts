import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventAggregationState } from "./event-aggregation-state.ts";

const tenMinutes = 600_000;
const notes = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `note ${from + index}`);

describe("EventAggregationState", () => {
  it("combines events from the tenth different note", () => {
    const state = new EventAggregationState();
    expect(notes(12).map((note) => state.isCombined("a", note, 0))).toEqual([...Array<boolean>(9).fill(false), true, true, true]);
  });

  it("does not combine repetitions of the same note", () => {
    const state = new EventAggregationState();
    expect(Array.from({ length: 50 }, () => state.isCombined("a", "same", 0)).some(Boolean)).toBe(false);
  });

  it("keeps a note that has its own event out of the combined event", () => {
    const state = new EventAggregationState();
    for (const note of notes(20)) state.isCombined("a", note, 0);
    expect([state.isCombined("a", "note 3", 0), state.isCombined("a", "note 15", 0)]).toEqual([false, true]);
  });

  it("starts over ten minutes after the last similar event", () => {
    const state = new EventAggregationState();
    for (const note of notes(20)) state.isCombined("a", note, 0);
    expect(state.isCombined("a", "note 20", tenMinutes)).toBe(true);
    expect(state.isCombined("a", "note 21", 2 * tenMinutes + 1)).toBe(false);
  });

  it("separates groups, and forgets the least recently used", () => {
    const state = new EventAggregationState({ similarMax: 2, entriesMax: 2 });
    const asked: [string, string][] = [
      ["a", "1"],
      ["b", "1"],
      ["a", "2"],
      ["c", "1"],
      ["b", "2"],
    ];
    expect(asked.map(([key, note]) => state.isCombined(key, note, 0))).toEqual([false, false, true, false, false]);
  });

  it("rejects invalid limits", () => {
    expect(() => new EventAggregationState({ similarMax: 0 })).toThrow("similarMax must be at least 1");
    expect(() => new EventAggregationState({ intervalMs: NaN })).toThrow("intervalMs must be zero or more");
  });

  it("never gives more notes their own event than the limit", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 100 }), fc.integer({ min: 1, max: 12 }), (told, similarMax) => {
        const state = new EventAggregationState({ similarMax });
        const plain = told.filter((note) => !state.isCombined("a", String(note), 0));
        expect(new Set(plain).size).toBe(Math.min(new Set(told).size, similarMax - 1));
      }),
    );
  });
});
