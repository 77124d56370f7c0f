import { describe, expect, it } from "vitest";
import { FileError } from "../host.ts";
import { fileProblem } from "./file-problem.ts";

describe("fileProblem", () => {
  it("describes every reason without the error's own text", () => {
    const reasons = ["missing", "denied", "exists", "not-a-file", "other"] as const;
    const words = reasons.map((reason) => fileProblem(new FileError("/a", reason, "canary")));
    expect(new Set(words).size).toBe(reasons.length);
    expect(words.join()).not.toContain("canary");
    expect(fileProblem(new Error("canary"))).toBe(words.at(-1));
  });
});
