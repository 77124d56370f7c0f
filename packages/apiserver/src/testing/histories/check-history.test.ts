import { describe, expect, it } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { History, Write } from "./history.ts";
import { answer, content, event, everything, operation, session, version } from "./small-history.ts";

const one = content("1");
const write = (revision: number): Write => ({ revision, id: "a", before: undefined, after: one });
const history = (facts: Partial<History>): History => ({
  base: { revision: 10, versions: new Map() },
  writes: [write(11)],
  operations: [],
  lists: [],
  sessions: [],
  errors: [],
  ...facts,
});
const checksOf = (facts: Partial<History>): readonly string[] => checkHistory(history(facts)).map(({ check }) => check);

describe("checkHistory", () => {
  it("accepts a history without violations", () => {
    const sessions = [session([event("ADDED", "a", 11, one)])];
    expect(
      checksOf({
        sessions,
        operations: [
          operation("get", [1, 2], answer(200, version(11, one))),
          operation("create", [1, 2], answer(201, version(11, one)), {
            wish: { data: { text: "1" }, labels: undefined, finalizers: undefined },
          }),
        ],
      }),
    ).toEqual([]);
  });

  it("reports missing and duplicate revisions", () => {
    expect(checksOf({ writes: [write(12)] })).toEqual(["revisions"]);
    expect(checksOf({ writes: [write(11), write(11)] })).toEqual(["revisions"]);
  });

  it("checks watches, lists, requests and the log", () => {
    expect(checksOf({ sessions: [session([])] })).toEqual(["reliable"]);
    const page = { code: 500, revision: 0, items: [], hasMore: false, remaining: undefined, compacted: [1, 1] } as const;
    expect(
      checksOf({
        lists: [
          {
            name: "client 0",
            path: "/",
            scope: everything,
            isUnfiltered: true,
            mode: "latest",
            asked: 0,
            floor: 10,
            newestAtEnd: 11,
            pages: [page],
            invoked: 0,
            returned: 0,
          },
        ],
      }),
    ).toEqual(["list"]);
    expect(checkHistory(history({ operations: [operation("get", [1, 2], answer(200, version(12, one)))] }))).toEqual([
      { check: "linearizable", message: "a: after 0 of 1 requests, at none, none of these can come next: get of client 0 (200)" },
    ]);
    expect(checksOf({ errors: ["a request failed"] })).toEqual(["errors"]);
  });

  it("checks requests for different objects separately", () => {
    const operations = [operation("get", [1, 2], answer(404), { id: "b" }), operation("get", [3, 4], answer(404), { id: "c" })];
    expect(checksOf({ operations })).toEqual([]);
  });
});
