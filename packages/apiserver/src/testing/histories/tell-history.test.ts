import { describe, expect, it } from "vitest";
import { answer, content, event, everything, operation, session, version } from "./small-history.ts";
import { tellHistory } from "./tell-history.ts";

const one = content("1", { app: "web" });

describe("tellHistory", () => {
  it("prints requests, writes and events in order of time", () => {
    const told = tellHistory({
      base: { revision: 10, versions: new Map() },
      writes: [
        { revision: 11, id: "a", before: undefined, after: one },
        { revision: 12, id: "a", before: one, after: undefined },
      ],
      operations: [
        operation("patch", [2, 5], answer(200, version(11, one)), { expected: 9 }),
        operation("delete", [6, Infinity], undefined),
      ],
      lists: [
        {
          name: "client 1",
          path: "/p",
          scope: everything,
          isUnfiltered: true,
          mode: "latest",
          asked: 0,
          floor: 10,
          newestAtEnd: 11,
          invoked: 7,
          returned: 8,
          pages: [
            {
              code: 200,
              revision: 11,
              items: [{ id: "a", version: version(11, one) }],
              hasMore: false,
              remaining: undefined,
              compacted: [1, 1],
            },
          ],
        },
      ],
      sessions: [
        session([{ ...event("ADDED", "a", 11, one), tick: 3 }], {
          path: "/w",
          invoked: 1,
          returned: 9,
          end: { kind: "expired", compacted: 12 },
        }),
      ],
      errors: ["oh"],
    });
    expect(told.split("\n")).toEqual([
      "the store, from @10 on:",
      '  @11 a created {"data":{"text":"1"},"labels":{"app":"web"}}',
      "  @12 a deleted",
      "what was asked and told:",
      "     1 watcher 0, session 1: /w",
      "     2 client 0: patch a if it is at @9",
      "     3 watcher 0, session 1: reads ADDED a@11",
      '     5 client 0: patch a → 200 @11 {"data":{"text":"1"},"labels":{"app":"web"}}',
      "     6 client 0: delete a, and goes away",
      "     7 client 1: list /p",
      "     8 client 1: list → 200 @11 [a@11]",
      "     9 watcher 0, session 1: expired (compacted at @12)",
      "error: oh",
    ]);
  });
});
