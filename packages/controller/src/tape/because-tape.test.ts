import { objectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { becauseTape, readBecause } from "./because-tape.ts";
import { createTape } from "./recording-tape.ts";

const headersOf = (note: string, key = objectKey("w", "shop")): Readonly<Record<string, string>> => {
  const run = becauseTape(createTape(testRuntime())).begin({
    run: "1",
    controller: "widget",
    key,
    causes: [{ type: "enqueue", note }],
    causeCount: 1,
    attempts: 0,
    waitedMs: 0,
  });
  return run.headers?.() ?? {};
};

describe("becauseTape", () => {
  it("sends controller, key and cause of a run, which readBecause returns", () => {
    const headers = headersOf("ConfigMap shop/ü → 2");
    expect(Object.values(headers).join("")).toMatch(/^[\x21-\x7e]+$/);
    expect(readBecause({ headers })).toEqual({ controller: "widget", key: "shop/w", why: "ConfigMap shop/ü → 2" });
  });

  it("records runs on the tape that it wraps", () => {
    const tape = createTape(testRuntime());
    const run = becauseTape(tape).begin({
      run: "1",
      controller: "widget",
      key: objectKey("w", "shop"),
      causes: [],
      causeCount: 0,
      attempts: 0,
      waitedMs: 0,
    });
    run.call({ method: "GET", path: "/", atMs: 0, tookMs: 1, status: 200 });
    run.end({ type: "done" });
    expect(tape.runs()).toEqual([expect.objectContaining({ callCount: 1, result: { type: "done" } })]);
    expect(readBecause({ headers: run.headers?.() ?? {} })).toEqual({ controller: "widget", key: "shop/w" });
  });

  it("keeps the header below 8 KiB, whatever the cause is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2000 }), (note) => {
        const headers = headersOf(note);
        expect(Object.values(headers).join("").length).toBeLessThanOrEqual(8192);
        const why = readBecause({ headers })?.why ?? "";
        expect(note.startsWith(why.replace(/…$/, ""))).toBe(true);
      }),
    );
    expect(headersOf("x", objectKey("k".repeat(9000)))).toEqual({});
  });
});

it("readBecause returns undefined for headers that becauseTape did not write", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(readBecause({ headers: { "drover-because": value } })).toBeUndefined();
    }),
  );
  expect(readBecause({ headers: {} })).toBeUndefined();
});
