import { describe, expect, it } from "vitest";
import { explanationOf, knownDifferences } from "./known-differences.ts";

describe("known differences", () => {
  const known = [
    { probe: "P1", at: "body.a", reason: "why" },
    { probe: "P2", reason: "everywhere" },
  ];
  const explain = (name: string, at: string): string | undefined => explanationOf(name, { at, expected: 1, actual: 2 }, known)?.reason;

  it("explain a difference of their probe at their place, and no other", () => {
    expect([
      explain("P1 x", "1 GET /: body.a.b"),
      explain("P1 x", "1 GET /: body.b"),
      explain("P11 x", "1 GET /: body.a"),
      explain("P2 x", "anywhere"),
    ]).toEqual(["why", undefined, undefined, "everywhere"]);
  });

  it("have a reason each", () => {
    expect(knownDifferences.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });
});
