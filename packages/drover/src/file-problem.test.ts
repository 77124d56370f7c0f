import { FileError } from "@drover/client";
import { describe, expect, it } from "vitest";
import { asFileError } from "./file-problem.ts";

describe("asFileError", () => {
  it.each([
    ["ENOENT", "missing"],
    ["ENOTDIR", "missing"],
    ["EACCES", "denied"],
    ["EPERM", "denied"],
    ["EROFS", "denied"],
    ["EEXIST", "exists"],
    ["EISDIR", "not-a-file"],
    ["EIO", "other"],
  ])("maps %s to %s", (code, reason) => {
    const cause = Object.assign(new Error("x"), { code });
    expect(asFileError("/p", "write", cause)).toMatchObject({
      reason,
      path: "/p",
      cause,
      message: expect.stringMatching(new RegExp(`^write /p: .* \\(${code}\\)$`)) as string,
    });
  });

  it("returns a FileError unchanged, and accepts any value", () => {
    const error = new FileError("/p", "denied", "no");
    expect(asFileError("/q", "read", error)).toBe(error);
    expect(asFileError("/q", "read", "odd").message).toBe("read /q: the system call failed");
  });
});
