import { describe, expect, it } from "vitest";
import { errorMessage } from "./error-message.ts";

describe("what was thrown, in words", () => {
  it("is the message of an error, or its name when it has none", () => {
    expect([errorMessage(new Error("no luck")), errorMessage(new TypeError(""))]).toEqual(["no luck", "TypeError"]);
  });

  it("is anything else as text, also what has none", () => {
    expect([undefined, "text", 7, Symbol("s")].map(errorMessage)).toEqual(["undefined", "text", "7", "Symbol(s)"]);
    expect(errorMessage(Object.create(null))).toBe("something that cannot be printed");
  });
});
