import { describe, expect, it } from "vitest";
import { errorText } from "./error-text.ts";

describe("errorText", () => {
  it("returns the message, all messages of an AggregateError, and never an empty text", () => {
    expect(errorText(new Error("no"))).toBe("no");
    expect(errorText(new TypeError(""))).toBe("TypeError");
    expect(errorText(new AggregateError([new Error("a"), new Error("b")], ""))).toBe("a; b");
    expect(errorText(new AggregateError([new Error("no x")], "two failed"))).toBe("two failed (no x)");
    expect([errorText("text"), errorText(""), errorText(undefined)]).toEqual(["text", "an error without a message", "undefined"]);
    expect(errorText(Object.create(null))).toBe("a value that cannot be printed");
  });

  it("is short enough for an Event", () => {
    expect(errorText(new Error("x".repeat(5000)))).toHaveLength(1000);
  });
});
