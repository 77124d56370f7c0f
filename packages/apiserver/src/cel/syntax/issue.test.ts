import { describe, expect, it } from "vitest";
import { printIssues } from "./issue.ts";

describe("printing what is wrong", () => {
  it("shows the line with a caret, wide characters with wide marks, in the order of places", () => {
    expect(
      printIssues("a\n\u00e4 + b", [
        { position: 6, message: "second" },
        { position: 0, message: "first" },
      ]),
    ).toBe("ERROR: <input>:1:1: first\n | a\n | ^\nERROR: <input>:2:5: second\n | \u00e4 + b\n | \uff0e...^");
    expect(printIssues("a", [{ position: -1, message: "nowhere" }])).toBe("ERROR: <input>:-1:0: nowhere");
  });
});
