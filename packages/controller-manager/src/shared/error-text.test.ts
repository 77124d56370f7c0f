import { describe, expect, it } from "vitest";
import { errorText } from "./error-text.ts";

describe("what is told of an error", () => {
  it("is its message", () => {
    expect([errorText(new Error("no room")), errorText("gone")]).toEqual(["no room", "gone"]);
  });
});
