import { describe, expect, it } from "vitest";
import { failure, isFailure } from "./failure.ts";

describe("failures", () => {
  it("are told from values, null and texts included", () => {
    expect([failure("x"), null, "failure", { kind: "list" }].map(isFailure)).toEqual([true, false, false, false]);
  });
});
