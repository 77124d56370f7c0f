import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { handleWarnings, noWarnings, parseWarnings, warningLogger } from "./warning-header.ts";

const warning = (text: string, code = 299, agent = "-") => ({ code, agent, text });

describe("parseWarnings", () => {
  it.each([
    ['299 - "text"', [warning("text")]],
    [String.raw`299 - "text\"\\\a\b\c"`, [warning(String.raw`text"\abc`)]],
    ['321 - "text"', [warning("text", 321)]],
    ['  299 - "text"  ', [warning("text")]],
    ['299 - "text" "Tue, 15 Nov 1994 08:12:31 GMT" ', [warning("text")]],
    ['299 - "text"  , ', [warning("text")]],
    ['299 - "1.1",299 - "1.2"', [warning("1.1"), warning("1.2")]],
    ['299 kube "a, b", 299 - "Iñtërnâtiônàlizætiøn,💝🐹🌇⛔"', [warning("a, b", 299, "kube"), warning("Iñtërnâtiônàlizætiøn,💝🐹🌇⛔")]],
    ['299 - "good", 299 - "unterminated', [warning("good")]],
    ['299 - ""', [warning("")]],
  ])("parses %j", (header, expected) => {
    expect(parseWarnings(header)).toEqual(expected);
  });
  it.each([
    "",
    "A B",
    '1 - "text"',
    'A - "text"',
    '299 - "text" "Tue, 15',
    '299 - "text" "date" other',
    '299 a\u0000b "text"',
    '299 - "te\u0000xt"',
    "299 -",
  ])("drops %j", (header) => {
    expect(parseWarnings(header)).toEqual([]);
  });
  it("parses every header of a list, also after a malformed one", () => {
    expect(parseWarnings(["broken", '299 - "a"', '299 - "b"'])).toEqual([warning("a"), warning("b")]);
  });
  it("takes linear time on a malicious header", () => {
    expect(parseWarnings(`299 - "${"\\".repeat(100_001)}`)).toEqual([]);
    expect(parseWarnings('299 - "a",'.repeat(10_000))).toHaveLength(10_000);
  });
});

describe("handleWarnings", () => {
  const log = recordingLog(new ManualClock());
  it("passes all warnings to the handler in order and returns them", () => {
    const told: unknown[] = [];
    const headers = { warning: ['299 - "a"', '199 - "b"'] };
    expect(handleWarnings(headers, (each) => told.push(each), log)).toEqual(told);
    expect(told).toEqual([warning("a"), warning("b", 199)]);
    expect(handleWarnings({}, noWarnings, log)).toEqual([]);
  });
  it("logs those with code 299 by default", () => {
    const own = recordingLog(new ManualClock());
    handleWarnings({ warning: '299 - "v1 is deprecated", 199 - "other", 299 - ""' }, warningLogger(own), own);
    expect(own.entries).toEqual([{ level: "warn", message: "Warning: v1 is deprecated", fields: {} }]);
  });
  it("returns the response although a handler throws", () => {
    const own = recordingLog(new ManualClock());
    const failing = (): void => {
      throw new Error("boom");
    };
    expect(handleWarnings({ warning: '299 - "a"' }, failing, own)).toHaveLength(1);
    expect(own.entries).toMatchObject([{ level: "error", message: "a warning handler failed" }]);
  });
});
