import { describe, expect, it } from "vitest";
import { printIssues } from "./issue.ts";

describe("printIssues", () => {
  it("prints the source line with a caret, in order of position", () => {
    expect(
      printIssues("a\n\u00e4 + b", [
        { position: 6, message: "second" },
        { position: 0, message: "first" },
      ]),
    ).toBe("ERROR: <input>:1:1: first\n | a\n | ^\nERROR: <input>:2:5: second\n | \u00e4 + b\n | \uff0e...^");
    expect(printIssues("a", [{ position: -1, message: "nowhere" }])).toBe("ERROR: <input>:-1:0: nowhere");
  });
});
