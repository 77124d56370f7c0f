import { ErrIgnore, isIgnored } from "@drover/lasso";
import { describe, expect, it } from "vitest";
import { ErrSkip } from "./err-skip.ts";

describe("ErrSkip", () => {
  it("is ErrIgnore, also as the cause of another error", () => {
    expect(ErrSkip).toBe(ErrIgnore);
    expect(isIgnored(new Error("waiting for the job", { cause: ErrSkip }))).toBe(true);
  });
});
