import { describe, expect, it } from "vitest";
import { checkSessionEnd } from "./session-end.ts";
import { event, session } from "./small-history.ts";

describe("checkSessionEnd", () => {
  it("accepts a 410 only for a compacted start", () => {
    expect(checkSessionEnd(session([], { asked: 10, end: { kind: "expired", compacted: 11 } }))).toEqual([]);
    expect(checkSessionEnd(session([], { asked: 10, end: { kind: "expired", compacted: 10 } }))).toHaveLength(1);
  });

  it("accepts a 410 for a watch that fell behind, but not for one that is complete", () => {
    expect(checkSessionEnd(session([event("ADDED", "a", 12)], { end: { kind: "expired", compacted: 13 } }))).toEqual([]);
    expect(checkSessionEnd(session([event("ADDED", "a", 13)], { end: { kind: "expired", compacted: 13 } }))).toHaveLength(1);
  });

  it("requires a 410 for a compacted start", () => {
    expect(checkSessionEnd(session([], { asked: 10, compactedAtStart: 11 }))).toHaveLength(1);
    expect(checkSessionEnd(session([event("ADDED", "a", 12)], { asked: 10, compactedAtStart: 11, end: { kind: "stopped" } }))).toHaveLength(
      1,
    );
    expect(checkSessionEnd(session([], { asked: 10, compactedAtStart: 11, end: { kind: "stopped" } }))).toEqual([]);
    expect(checkSessionEnd(session([], { asked: 10, compactedAtStart: 11, wantsInitial: true }))).toEqual([]);
  });

  it("accepts a 504 for a state that never came", () => {
    const end = { kind: "failed", code: 504, message: "x" } as const;
    expect(checkSessionEnd(session([], { wantsInitial: true, asked: 15, floor: 14, end }))).toEqual([]);
    expect(checkSessionEnd(session([], { wantsInitial: true, asked: 14, floor: 14, end }))).toHaveLength(1);
  });

  it("accepts no other failure", () => {
    expect(checkSessionEnd(session([], { end: { kind: "failed", code: 500, message: "x" } }))).toEqual(["the watch failed with 500: x"]);
  });
});
