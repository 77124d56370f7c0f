import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createWatchListMemory } from "./watch-list-memory.ts";

describe("createWatchListMemory", () => {
  it("remembers each key until its time is over", async () => {
    const clock = new ManualClock();
    const memory = createWatchListMemory({ clock });
    memory.putOff("pods", 1000);
    await clock.advance(400);
    expect([memory.remainingMs("pods"), memory.remainingMs("nodes"), memory.remainingMs("__proto__")]).toEqual([600, 0, 0]);
    await clock.advance(600);
    expect(memory.remainingMs("pods")).toBe(0);
  });
});
