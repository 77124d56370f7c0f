import { describe, expect, it } from "vitest";
import { durationMs } from "./duration.ts";
import type { Duration } from "./duration.ts";
import { MistakeError } from "./mistake-error.ts";

describe("durationMs", () => {
  it("accepts milliseconds, or numbers with units", () => {
    expect((["10m", "1h30m", "1.5s", "250ms", 17, 0] satisfies Duration[]).map((duration) => durationMs(duration, "x"))).toEqual([
      600_000, 5_400_000, 1500, 250, 17, 0,
    ]);
  });

  it("throws a MistakeError that says where and what to write", () => {
    for (const wrong of ["10 minutes", "1d", "-5s", "", NaN, -1, Infinity, null, undefined, {}])
      expect(() => durationMs(wrong as Duration, "controller of WebApp, after")).toThrow(MistakeError);
    expect(() => durationMs("1d" as Duration, "controller of WebApp, after")).toThrow(
      'controller of WebApp, after: "1d" is not a valid duration\n  fix: a number and a unit',
    );
  });
});
