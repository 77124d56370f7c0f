import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

describe("block scalars", () => {
  it.each([
    ["|\n a\n  b\n", "a\n b\n"],
    ["|-\n a\n\n", "a"],
    ["|+\n a\n\n", "a\n\n"],
    ["|2\n   a\n", " a\n"],
    [">\n a\n b\n\n c\n", "a b\nc\n"],
    [">\n a\n  b\n c\n", "a\n b\nc\n"],
    ["|", ""],
    ["|1-\n a", "a"],
    ["a: |\n  x\nb: 1", { a: "x\n", b: 1 }],
    ["- |\n x\n- >-\n y\n z", ["x\n", "y z"]],
    ["| # comment\n a", "a"],
  ])("parses %j", (text, value) => expect(parseYaml(text)).toEqual(value));

  it.each([
    ["|0\n a", "equal to 0"],
    ["| a", "comment or line break"],
    ["|\n\ta", "tab character"],
  ])("rejects %j", (text, problem) => expect(() => parseYaml(text)).toThrow(problem));
});
