import { describe, expect, it } from "vitest";
import { checkSession } from "./check-session.ts";
import { content, event, session, truthOf } from "./small-history.ts";

const one = content("1");
const truth = truthOf(["a", one], ["b", one], ["c", one]);
const now = { asked: undefined, floor: 11, ceiling: 12, newestAtEnd: 13 } as const;
const b = event("ADDED", "b", 12, one);
const c = event("ADDED", "c", 13, one);

describe("checkSession", () => {
  it("accepts a watch session that one start explains", () => {
    expect(checkSession(session([b, c], now), truth)).toEqual([]);
    expect(checkSession(session([c], now), truth)).toEqual([]);
    expect(checkSession(session([event("BOOKMARK", "", 12), c], now), truth)).toEqual([]);
  });

  it("names the violated guarantee and the session", () => {
    expect(checkSession(session([b], now), truth)).toEqual([
      { check: "reliable", message: "watcher 0, session 1: ADDED c @13 was never told" },
    ]);
    expect(checkSession(session([], now), truth).map(({ check }) => check)).toEqual(["reliable"]);
  });

  it("reports a session without a possible start, and an invalid end", () => {
    const end = event("BOOKMARK", "", 11, {}, { endsInitial: true });
    expect(checkSession(session([end], { ...now, wantsInitial: true, floor: 12 }), truth).map(({ check }) => check)).toEqual(["start"]);
    expect(checkSession(session([b, c], { ...now, end: { kind: "expired", compacted: 13 } }), truth).map(({ check }) => check)).toEqual([
      "end",
    ]);
  });
});
