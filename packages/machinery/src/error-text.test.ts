import { describe, expect, it } from "vitest";
import { errorText } from "./error-text.ts";

describe("errorText", () => {
  it("returns an error's message and other values as text", () => {
    expect([errorText(new TypeError("no room")), errorText("gone"), errorText(undefined)]).toEqual(["no room", "gone", "undefined"]);
  });

  it("does not throw for a value without a text", () => {
    expect(errorText(Object.create(null))).toBe("a value that cannot be printed");
  });
});
