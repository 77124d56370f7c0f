import { describe, expect, it } from "vitest";
import { timeMs } from "./object-time.ts";

describe("timeMs", () => {
  it("returns milliseconds, or undefined when unset", () => {
    expect([timeMs("2026-01-01T00:00:00Z"), timeMs(undefined), timeMs(null)]).toEqual([1_767_225_600_000, undefined, undefined]);
  });
});
