import { describe, expect, it } from "vitest";
import { failure, isFailure } from "./failure.ts";

describe("CEL failures", () => {
  it("are distinguished from values, including null and strings", () => {
    expect([failure("x"), null, "failure", { kind: "list" }].map(isFailure)).toEqual([true, false, false, false]);
  });
});
