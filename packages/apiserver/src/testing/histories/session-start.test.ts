import { describe, expect, it } from "vitest";
import { sessionStarts } from "./session-start.ts";
import { content, event, session, truthOf } from "./small-history.ts";

const one = content("1");
const truth = truthOf(["a", one], ["b", one], ["a", undefined], ["c", one]);
const a = event("ADDED", "a", 11, one);
const b = event("ADDED", "b", 12, one);
const c = event("ADDED", "c", 14, one);
const end = event("BOOKMARK", "", 13, {}, { endsInitial: true });
const initial = { wantsInitial: true, asked: undefined, wantsBookmarks: false, newestAtEnd: 14 } as const;

describe("sessionStarts", () => {
  it("returns the requested version", () => {
    expect(sessionStarts(session([c], { asked: 13 }), truth)).toEqual([{ from: 13, initial: [], live: [c], isInitialWhole: true }]);
  });

  it("returns the bookmark that ends the initial state", () => {
    expect(sessionStarts(session([b, end, c], { wantsInitial: true, asked: 0 }), truth)).toEqual([
      { from: 13, initial: [b], live: [end, c], isInitialWhole: true },
    ]);
  });

  it("returns none if the initial state is older than allowed", () => {
    expect(sessionStarts(session([b, end], { wantsInitial: true, asked: 14 }), truth)).toEqual([]);
    expect(sessionStarts(session([b, end], { ...initial, floor: 14 }), truth)).toEqual([]);
  });

  it("without a bookmark returns every revision whose state the first events match", () => {
    const newest = { newest: 14 };
    expect(
      sessionStarts(session([event("ADDED", "b", 12, one, newest), c], { ...initial, floor: 12 }), truth).map(({ from }) => from),
    ).toEqual([13, 14]);
    expect(
      sessionStarts(session([event("ADDED", "a", 11, one, newest), b, c], { ...initial, floor: 12 }), truth).map(({ from }) => from),
    ).toEqual([12]);
  });

  it("accepts a partial state only from a stopped watch", () => {
    const part = event("ADDED", "b", 12, one, { newest: 12 });
    expect(sessionStarts(session([part], { ...initial, floor: 12, end: { kind: "stopped" } }), truth)).toMatchObject([
      { from: 12, isInitialWhole: false },
    ]);
    expect(sessionStarts(session([part], { ...initial, floor: 12 }), truth)).toEqual([]);
  });

  it("returns none if a required bookmark is missing", () => {
    expect(sessionStarts(session([a, b], { ...initial, wantsBookmarks: true, floor: 12 }), truth)).toEqual([]);
  });

  it("returns none if no such state existed", () => {
    expect(sessionStarts(session([a, c], { ...initial, floor: 12 }), truth)).toEqual([]);
  });

  it("returns a future start while the watch waits for it", () => {
    expect(sessionStarts(session([], { wantsInitial: true, asked: 15, newestAtEnd: 14 }), truth)).toMatchObject([
      { from: 15, isInitialWhole: false },
    ]);
    expect(sessionStarts(session([b], { wantsInitial: true, asked: 15, newestAtEnd: 14 }), truth)).toEqual([]);
  });

  it("for a watch from now returns every revision between request and response", () => {
    expect(sessionStarts(session([c], { asked: undefined, floor: 11, ceiling: 13 }), truth).map(({ from }) => from)).toEqual([11, 12, 13]);
  });
});
