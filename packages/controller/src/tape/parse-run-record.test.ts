import { describe, expect, it } from "vitest";
import { parseRunRecord } from "./parse-run-record.ts";
import { TapeFormatError } from "./tape-format-error.ts";

const run = {
  run: "r",
  controller: "web",
  key: "web/shop",
  startedAt: 0,
  waitedMs: 0,
  attempts: 0,
  causes: [],
  causeCount: 0,
  calls: [],
  callCount: 0,
};

describe("parseRunRecord", () => {
  it("ignores unknown fields", () => {
    expect(parseRunRecord({ ...run, more: 1 }, "line 2")).toEqual(run);
  });

  it("throws with the position of an invalid field", () => {
    const rows: [unknown, string][] = [
      [[], "line 2 is not an object"],
      [{ ...run, key: undefined }, "line 2: key must be a string, not absent"],
      [{ ...run, causes: {} }, "line 2: causes must be a list, not {}"],
      [
        { ...run, causes: [{ type: "magic" }] },
        'line 2, causes[0]: type must be one of change, timer, external, after, retry, enqueue, not "magic"',
      ],
      [
        { ...run, calls: [{ method: "GET", path: "/", atMs: 0, tookMs: 1, wrote: { uid: 1 } }] },
        "line 2, calls[0], wrote: uid must be a string, not 1",
      ],
      [{ ...run, result: { type: "retry", error: "x", isConflict: 1 } }, "line 2, result: isConflict must be true or false, not 1"],
      [
        { ...run, result: { type: "retry", error: "x", isConflict: true, parked: false } },
        "line 2, result: parked must be true, not false",
      ],
    ];
    for (const [value, message] of rows) expect(() => parseRunRecord(value, "line 2")).toThrow(new TapeFormatError(message));
  });
});
