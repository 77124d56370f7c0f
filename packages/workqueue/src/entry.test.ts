import { describe, expect, it } from "vitest";
import { causesMax, Entry } from "./entry.ts";

describe("Entry", () => {
  it("keeps the first eight causes and counts all causes", () => {
    const entry = new Entry<string, number>("a", "");
    for (let cause = 1; cause <= 20; cause++) entry.addCause(cause);
    entry.addCause(undefined);
    expect([entry.causes, entry.causeCount]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], 20]);
    expect(entry.causes).toHaveLength(causesMax);
  });

  it("report returns a copy", () => {
    const entry = new Entry<string, string>("a", "");
    entry.phase = "ready";
    entry.addCause("edit");
    const report = entry.report(7);
    entry.addCause("another");
    expect(report).toEqual({
      key: "a",
      state: "ready",
      priority: 0,
      ageMs: 7,
      nextRunInMs: 0,
      causes: ["edit"],
      causeCount: 1,
      attempts: 0,
    });
  });
});
