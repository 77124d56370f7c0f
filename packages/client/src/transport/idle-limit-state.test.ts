import { describe, expect, it } from "vitest";
import { closedWhileIdle, idleLimit } from "./idle-limit-state.ts";

/** Closes connections after so many idle milliseconds each, one per minute. */
const limitAfter = (...idleMs: readonly number[]): number =>
  idleMs.reduce(
    (state, ms, index) => closedWhileIdle(state, { idleSinceMs: index * 60_000 - ms, closedMs: index * 60_000 }),
    idleLimit(45_000),
  ).limitMs;

describe("closedWhileIdle", () => {
  it("T8: lowers the limit after three closes at a similar age", () => {
    expect(limitAfter(30_000, 29_500)).toBe(45_000);
    expect(limitAfter(30_000, 29_500, 30_200)).toBe(29_500 * 0.8);
  });

  it("ignores closes at different ages, and connections that were hardly idle", () => {
    expect(limitAfter(30_000, 10_000, 20_000, 30_000)).toBe(45_000);
    expect(limitAfter(10, 20, 15, 999)).toBe(45_000);
  });

  it("ignores a server that shuts down and closes everything at once", () => {
    const restarted = Array.from({ length: 64 }, (_, index) => ({ idleSinceMs: 0, closedMs: 20_000 + index * 10 }));
    expect(restarted.reduce(closedWhileIdle, idleLimit(45_000)).limitMs).toBe(45_000);
  });

  it("counts from the first that differs from those before", () => {
    expect(limitAfter(40_000, 10_000, 10_000, 10_000)).toBe(8000);
  });

  it("lowers the limit further if needed, and never raises it", () => {
    expect(limitAfter(30_000, 30_000, 30_000, 10_000, 10_000, 10_000)).toBe(8000);
    expect(limitAfter(10_000, 10_000, 10_000, 44_000, 44_000, 44_000)).toBe(8000);
  });
});
