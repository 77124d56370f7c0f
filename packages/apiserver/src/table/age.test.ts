import { describe, expect, it } from "vitest";
import { ageOf, elapsed } from "./age.ts";
import { printedAt, secondsAgo } from "../testing/printed.ts";

describe("ageOf", () => {
  it("returns the time since a timestamp", () => {
    expect(ageOf(secondsAgo(90), printedAt)).toBe("90s");
    expect(ageOf("2025-12-31T23:00:00.500000Z", printedAt)).toBe("59m");
  });

  it("returns <unknown> for an unset timestamp", () => {
    expect(ageOf(undefined, printedAt)).toBe("<unknown>");
    expect(ageOf(null, printedAt)).toBe("<unknown>");
  });

  it("returns <invalid> for a future timestamp, except within clock skew", () => {
    expect(ageOf(secondsAgo(-1), printedAt)).toBe("0s");
    expect(ageOf(secondsAgo(-5), printedAt)).toBe("<invalid>");
  });

  it("saturates where Go's durations end", () => {
    expect(ageOf("0001-01-02T00:00:00Z", printedAt)).toBe("292y");
    expect(elapsed(0, 400 * 365 * 86_400_000)).toBe("292y");
    expect(elapsed(0, 291 * 365 * 86_400_000)).toBe("291y");
  });
});
