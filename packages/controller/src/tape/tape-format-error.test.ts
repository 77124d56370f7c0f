import { describe, expect, it } from "vitest";
import { TapeFormatError } from "./tape-format-error.ts";

describe("TapeFormatError", () => {
  it("has its own name, and its cause", () => {
    const cause = new SyntaxError("no");
    expect(new TapeFormatError("line 2 is not JSON", { cause })).toMatchObject({
      name: "TapeFormatError",
      message: "line 2 is not JSON",
      cause,
    });
  });
});
