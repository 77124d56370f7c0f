import { describe, expect, it } from "vitest";
import { ClassicQueueState } from "./classic-queue-state.ts";

describe("ClassicQueueState", () => {
  it("add returns true when it queues the key", () => {
    const state = new ClassicQueueState<string>();
    expect([state.add(0, "a"), state.add(0, "a")]).toEqual([true, false]);
    state.take(0);
    expect(state.add(0, "a")).toBe(false);
    expect(state.done(0, "a")).toBe(true);
    expect([state.take(0), state.take(0)]).toEqual(["a", undefined]);
  });

  it("done does nothing for a key that is not being processed", () => {
    const state = new ClassicQueueState<string>();
    state.add(0, "a");
    expect([state.done(0, "a"), state.done(0, "b")]).toEqual([false, false]);
    expect(state.queuedCount).toBe(1);
  });

  it("accepts any key that a Map can distinguish", () => {
    const [object, symbol] = [{}, Symbol("s")];
    const state = new ClassicQueueState<unknown>();
    for (const key of [object, symbol, NaN, NaN, "__proto__", "", 0, null]) state.add(0, key);
    expect(state.queuedCount).toBe(7);
    expect(Array.from({ length: 7 }, () => state.take(0))).toEqual([object, symbol, NaN, "__proto__", "", 0, null]);
  });
});
