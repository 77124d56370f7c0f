import { ApiError } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExitStatusReader } from "./exit-status.ts";

const failed = {
  metadata: {},
  status: "Failure",
  reason: "NonZeroExitCode",
  message: "…",
  details: { causes: [{ reason: "ExitCode", message: "137" }] },
};

function read(text: string, cuts: readonly number[] = []): number | undefined {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
  const reader = new ExitStatusReader("exec in pods/web-0 in shop");
  const codes = places.slice(1).map((end, index) => reader.push(bytes.subarray(places[index], end)));
  return codes.at(-1);
}

describe("ExitStatusReader", () => {
  it("reads the code for any message boundaries", () => {
    const text = JSON.stringify(failed);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 4 }), (cuts) => {
        expect(read(text, cuts)).toBe(137);
      }),
    );
  });

  it("reads success, with and without kind and version", () => {
    expect(read('{"metadata":{},"status":"Success"}')).toBe(0);
    expect(read('{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}')).toBe(0);
  });

  it("has no code before the Status is complete", () => {
    const reader = new ExitStatusReader("exec");
    expect(reader.begun).toBe(false);
    expect(reader.push(new TextEncoder().encode('{"status":'))).toBeUndefined();
    expect(reader.begun).toBe(true);
  });

  it("throws any other failure as the server's error", () => {
    expect(() => read('{"status":"Failure","reason":"InternalError","message":"no shell","code":500}')).toThrow(ApiError);
  });

  it("does not invent a code", () => {
    expect(() => read(JSON.stringify({ ...failed, details: {} }))).toThrow("without its exit code");
    expect(() => read(JSON.stringify({ ...failed, details: { causes: [{ reason: "ExitCode", message: "many" }] } }))).toThrow(
      "without its exit code",
    );
  });

  it("limits the size of the Status", () => {
    expect(() => read("x".repeat(1024 * 1024 + 1))).toThrow("not a Status: xxx");
  });
});
