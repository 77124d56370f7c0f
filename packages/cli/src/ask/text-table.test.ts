import { describe, expect, it } from "vitest";
import { middleCut, textTable, wrapped } from "./text-table.ts";

describe("tables and lines of answers", () => {
  it("textTable aligns columns and never exceeds 80 characters", () => {
    expect(
      textTable(
        [{ title: "KEY" }, { title: "N", align: "right" }],
        [
          ["a", "10"],
          ["long", "1"],
        ],
      ),
    ).toEqual(["KEY    N", "a     10", "long   1"]);
    const wide = textTable([{ title: "A" }, { title: "B" }, { title: "C" }], [["x".repeat(500), "y".repeat(90), "z"]]);
    expect(wide.every((line) => line.length <= 80)).toBe(true);
    expect(wide[1]).toContain("…");
  });

  it("textTable shows control characters as escapes", () => {
    expect(textTable([{ title: "A" }], [["a\u001b[2Jb\nc"]])[1]).toBe("a\\x1b[2Jb\\x0ac");
  });

  it("wrapped breaks at spaces and keeps the title column, and breaks words that are too long", () => {
    const line = `    because  ${"word ".repeat(30)}`.trimEnd();
    const lines = wrapped(line);
    expect(lines.every((each) => each.length <= 80)).toBe(true);
    expect(lines.slice(1).every((each) => /^ {13}word/.test(each))).toBe(true);
    expect(lines.join(" ").match(/word/g)).toHaveLength(30);
    expect(wrapped(`    did      ${"x".repeat(300)}`).every((each) => each.length <= 80)).toBe(true);
    expect(wrapped("")).toEqual([""]);
  });

  it("middleCut keeps beginning and end", () => {
    expect([middleCut("abcdef", 6), middleCut("abcdefgh", 5)]).toEqual(["abcdef", "ab…gh"]);
  });
});
