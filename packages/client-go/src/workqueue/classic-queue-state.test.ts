import { describe, expect, it } from "vitest";
import { ClassicQueueState } from "./classic-queue-state.ts";

describe("ClassicQueueState", () => {
  it("says when a key came into the line", () => {
    const state = new ClassicQueueState<string>();
    expect([state.add(0, "a"), state.add(0, "a")]).toEqual([true, false]);
    state.take(0);
    expect(state.add(0, "a")).toBe(false);
    expect(state.done(0, "a")).toBe(true);
    expect([state.take(0), state.take(0)]).toEqual(["a", undefined]);
  });

  it("does nothing when a key is done that nobody has, queued or not", () => {
    const state = new ClassicQueueState<string>();
    state.add(0, "a");
    expect([state.done(0, "a"), state.done(0, "b")]).toEqual([false, false]);
    expect(state.queuedCount).toBe(1);
  });

  it("takes any key that a map tells apart", () => {
    const [object, symbol] = [{}, Symbol("s")];
    const state = new ClassicQueueState<unknown>();
    for (const key of [object, symbol, NaN, NaN, "__proto__", "", 0, null]) state.add(0, key);
    expect(state.queuedCount).toBe(7);
    expect(Array.from({ length: 7 }, () => state.take(0))).toEqual([object, symbol, NaN, "__proto__", "", 0, null]);
  });
});
