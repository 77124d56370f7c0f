import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { resyncHandler } from "./handler-resync.ts";

function stage(
  keys: string[],
  periodMs = 10_000,
): { clock: ManualClock; told: string[]; removal: AbortController; state: { hasSynced: boolean; keys: string[] } } {
  const clock = new ManualClock();
  const told: string[] = [];
  const removal = new AbortController();
  const state = { hasSynced: true, keys };
  resyncHandler(
    {
      clock,
      periodMs,
      hasSynced: () => state.hasSynced,
      keys: () => state.keys,
      tell: (piece) => {
        for (const key of piece) told.push(`${key} ${clock.monotonic()}`);
      },
    },
    removal.signal,
  );
  return { clock, told, removal, state };
}

describe("resyncHandler", () => {
  it("repeats every key once per period, spread over it, with the current keys", async () => {
    const { clock, told, state } = stage(["a", "b"]);
    await clock.advance(20_000);
    expect(told).toEqual(["a 10000", "b 15000", "a 20000"]);
    state.keys = ["c"];
    await clock.advance(15_000);
    expect(told.slice(3)).toEqual(["b 25000", "c 30000"]);
  });

  it("splits a large round into a hundred parts", async () => {
    const { clock, told } = stage(Array.from({ length: 1050 }, (_, index) => `k${index}`));
    await clock.advance(10_000);
    expect(told).toHaveLength(10);
    await clock.advance(9_999);
    expect(new Set(told.map((line) => line.split(" ")[0])).size).toBe(1050);
    expect(new Set(told.map((line) => line.split(" ")[1])).size).toBe(100);
  });

  it("waits for a handler that has not synced, and continues when there are no keys", async () => {
    const { clock, told, state } = stage([], 1);
    state.hasSynced = false;
    await clock.advance(5000);
    expect(clock.pending).toEqual([1000]);
    state.hasSynced = true;
    await clock.advance(2000);
    state.keys = ["a"];
    await clock.advance(1000);
    expect(told).toEqual(["a 8000"]);
  });

  it("ends when the handler is removed, and leaves no timer", async () => {
    const { clock, told, removal } = stage(["a"]);
    await clock.advance(10_000);
    removal.abort();
    expect(clock.pending).toEqual([]);
    expect(told).toHaveLength(1);
  });
});
