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

  // Found by repeating tokens up to 64 KB: a hundred issues repeated a line of 64 KB, 13 MB of text in all. The limit is cel-go's.
  it("leaves out a source line of more than 16 KiB", () => {
    const text = "\u00e4".repeat(8192);
    expect(printIssues(text, [{ position: 2, message: "m" }])).toBe(`ERROR: <input>:1:3: m\n | ${text}\n | \uff0e\uff0e\uff3e`);
    expect(printIssues(`${text}a`, [{ position: 2, message: "m" }])).toBe("ERROR: <input>:1:3: m");
  });
});
