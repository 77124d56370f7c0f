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
  it("is the version that was asked for", () => {
    expect(sessionStarts(session([c], { asked: 13 }), truth)).toEqual([{ from: 13, initial: [], live: [c], isInitialWhole: true }]);
  });

  it("is the bookmark that ends the present state", () => {
    expect(sessionStarts(session([b, end, c], { wantsInitial: true, asked: 0 }), truth)).toEqual([
      { from: 13, initial: [b], live: [end, c], isInitialWhole: true },
    ]);
  });

  it("is nothing when the present state is older than it may be", () => {
    expect(sessionStarts(session([b, end], { wantsInitial: true, asked: 14 }), truth)).toEqual([]);
    expect(sessionStarts(session([b, end], { ...initial, floor: 14 }), truth)).toEqual([]);
  });

  it("without a bookmark is every moment of which the first events are the state", () => {
    const newest = { newest: 14 };
    expect(
      sessionStarts(session([event("ADDED", "b", 12, one, newest), c], { ...initial, floor: 12 }), truth).map(({ from }) => from),
    ).toEqual([13, 14]);
    expect(
      sessionStarts(session([event("ADDED", "a", 11, one, newest), b, c], { ...initial, floor: 12 }), truth).map(({ from }) => from),
    ).toEqual([12]);
  });

  it("takes a part of the state from somebody who stopped, and from nobody else", () => {
    const part = event("ADDED", "b", 12, one, { newest: 12 });
    expect(sessionStarts(session([part], { ...initial, floor: 12, end: { kind: "stopped" } }), truth)).toMatchObject([
      { from: 12, isInitialWhole: false },
    ]);
    expect(sessionStarts(session([part], { ...initial, floor: 12 }), truth)).toEqual([]);
  });

  it("is nothing when a bookmark should have said where it is", () => {
    expect(sessionStarts(session([a, b], { ...initial, wantsBookmarks: true, floor: 12 }), truth)).toEqual([]);
  });

  it("is nothing when there never was such a state", () => {
    expect(sessionStarts(session([a, c], { ...initial, floor: 12 }), truth)).toEqual([]);
  });

  it("is still to come while a state is waited for", () => {
    expect(sessionStarts(session([], { wantsInitial: true, asked: 15, newestAtEnd: 14 }), truth)).toMatchObject([
      { from: 15, isInitialWhole: false },
    ]);
    expect(sessionStarts(session([b], { wantsInitial: true, asked: 15, newestAtEnd: 14 }), truth)).toEqual([]);
  });

  it("from now on is any time between the question and the answer", () => {
    expect(sessionStarts(session([c], { asked: undefined, floor: 11, ceiling: 13 }), truth).map(({ from }) => from)).toEqual([11, 12, 13]);
  });
});
