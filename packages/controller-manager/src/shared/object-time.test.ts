import { describe, expect, it } from "vitest";
import { timeMs } from "./object-time.ts";

describe("the time of an object", () => {
  it("is milliseconds, or none where it is not set", () => {
    expect([timeMs("2026-01-01T00:00:00Z"), timeMs(undefined), timeMs(null)]).toEqual([1_767_225_600_000, undefined, undefined]);
  });
});
