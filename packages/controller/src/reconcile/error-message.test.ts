import { describe, expect, it } from "vitest";
import { errorMessage } from "./error-message.ts";

describe("errorMessage", () => {
  it("returns the message of an error, or its name if the message is empty", () => {
    expect([errorMessage(new Error("no luck")), errorMessage(new TypeError(""))]).toEqual(["no luck", "TypeError"]);
  });

  it("returns anything else as text, even if it cannot be printed", () => {
    expect([undefined, "text", 7, Symbol("s")].map(errorMessage)).toEqual(["undefined", "text", "7", "Symbol(s)"]);
    expect(errorMessage(Object.create(null))).toBe("a value that cannot be printed");
  });
});
