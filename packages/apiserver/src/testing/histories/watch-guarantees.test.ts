import { describe, expect, it } from "vitest";
import type { WatchedEvent, WatchSession } from "./history.ts";
import { sessionStarts } from "./session-start.ts";
import { content, event, session, truthOf, web } from "./small-history.ts";
import { watchGuarantees } from "./watch-guarantees.ts";

const one = content("1", { app: "web" });
const two = content("2", { app: "web" });
const out = content("3", { app: "db" });
const back = content("4", { app: "web" });
const truth = truthOf(["a", one], ["b", out], ["a", two], ["a", out], ["a", back], ["a", undefined]);

/** The events that a watcher of app=web sees. */
const seen: readonly WatchedEvent[] = [
  event("ADDED", "a", 11, one),
  event("BOOKMARK", "", 12),
  event("MODIFIED", "a", 13, two),
  event("DELETED", "a", 14, two),
  event("ADDED", "a", 15, back),
  event("DELETED", "a", 16, back),
];

/** Returns the guarantees that a session violates. */
function broken(watched: WatchSession): readonly string[] {
  const [start] = sessionStarts(watched, truth);
  return start === undefined
    ? ["start"]
    : Object.entries(watchGuarantees)
        .filter(([, guarantee]) => guarantee(watched, start, truth).length > 0)
        .map(([name]) => name);
}

const without = (...revisions: readonly number[]): readonly WatchedEvent[] => seen.filter(({ revision }) => !revisions.includes(revision));
const changed = (revision: number, to: Partial<WatchedEvent>): readonly WatchedEvent[] =>
  seen.map((known) => (known.revision === revision ? { ...known, ...to } : known));
const watched = (events: readonly WatchedEvent[], facts: Partial<WatchSession> = {}): WatchSession =>
  session(events, { scope: web, ...facts });
const stopped = { end: { kind: "stopped" } } as const;

describe("watchGuarantees", () => {
  it("are etcd's nine", () => {
    expect(Object.keys(watchGuarantees)).toEqual([
      "filter",
      "ordered",
      "unique",
      "atomic",
      "bookmarkable",
      "resumable",
      "reliable",
      "isCreate",
      "previousValue",
    ]);
  });

  it("hold for a correct watch", () => {
    expect(broken(watched(seen))).toEqual([]);
    expect(broken(watched(seen.slice(0, 3), stopped))).toEqual([]);
    expect(broken(watched(seen.slice(3), { asked: 13 }))).toEqual([]);
  });

  it("filter reports events outside the scope", () => {
    expect(broken(watched([...seen.slice(0, 1), event("ADDED", "b", 12, out), ...seen.slice(2)]))).toContain("filter");
  });

  it("ordered reports events out of order", () => {
    expect(broken(watched([...seen.slice(0, 2), ...seen.slice(3, 4), ...seen.slice(2, 3), ...seen.slice(4)]))).toEqual(["ordered"]);
  });

  it("unique reports events delivered twice, also after resuming", () => {
    expect(broken(watched([...seen.slice(0, 1), ...seen]))).toContain("unique");
    expect(broken(watched(seen.slice(2), { asked: 13 }))).toContain("unique");
  });

  it("atomic reports two events of one revision, or an initial state of two revisions", () => {
    expect(broken(watched([...seen.slice(0, 4), event("ADDED", "b", 14, back), ...seen.slice(4)]))).toContain("atomic");
    const end = event("BOOKMARK", "", 13, {}, { endsInitial: true });
    const torn = [event("ADDED", "a", 11, one), end];
    expect(broken(watched([event("ADDED", "a", 13, two), end], { wantsInitial: true, asked: 0, ...stopped }))).toEqual([]);
    expect(broken(watched(torn, { wantsInitial: true, asked: 0, ...stopped }))).toContain("atomic");
    expect(broken(watched([end], { wantsInitial: true, asked: 0, ...stopped }))).toContain("atomic");
  });

  it("bookmarkable reports wrong, future and unrequested bookmarks", () => {
    expect(broken(watched(changed(12, { revision: 13 }), stopped))).toContain("bookmarkable");
    expect(broken(watched([event("BOOKMARK", "", 11)], stopped))).toContain("bookmarkable");
    expect(broken(watched(changed(12, { newest: 11 })))).toEqual(["bookmarkable"]);
    expect(broken(watched(seen, { wantsBookmarks: false }))).toEqual(["bookmarkable"]);
    expect(broken(watched([event("BOOKMARK", "", 15)], { asked: 16 }))).toEqual(["bookmarkable"]);
  });

  it("resumable reports a first event that is not the first after the start", () => {
    expect(broken(watched(without(11, 12), stopped))).toContain("resumable");
    expect(broken(watched(seen, { asked: 11, ...stopped }))).toContain("resumable");
  });

  it("reliable reports lost, missing and invented events", () => {
    expect(broken(watched(without(12, 14)))).toEqual(["reliable"]);
    expect(broken(watched(without(16)))).toEqual(["reliable"]);
    expect(broken(watched(without(16), stopped))).toEqual([]);
    expect(broken(watched([...seen, event("ADDED", "a", 20, back)]))).toEqual(["reliable"]);
  });

  it("isCreate reports wrong types when objects enter or leave a selector", () => {
    expect(broken(watched(changed(15, { type: "MODIFIED" })))).toEqual(["isCreate"]);
    expect(broken(watched(changed(14, { type: "MODIFIED" })))).toEqual(["isCreate"]);
  });

  it("previousValue reports objects that differ from the stored ones", () => {
    expect(broken(watched(changed(13, { content: one })))).toEqual(["previousValue"]);
    expect(broken(watched(changed(14, { content: content("3", { app: "web" }) })))).toEqual(["previousValue"]);
  });
});
