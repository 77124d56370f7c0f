import { describe, expect, it } from "vitest";

import { parse } from "./parse.ts";
import type { Node } from "./syntax-tree.ts";

/** The tree as text: classes by a few of their members, repetitions by their counts. */
function show(node: Node): string {
  switch (node.kind) {
    case "empty":
      return "ε";
    case "char":
      return `[${Array.from("abAB1-\n")
        .filter((char) => node.charClass.has(char.codePointAt(0) ?? 0))
        .join("")
        .replace("\n", "¶")}]`;
    case "assert":
      return `<${node.assertion}>`;
    case "capture":
      return `${node.index}(${show(node.child)})`;
    case "repeat":
      return `${show(node.child)}{${node.min},${node.max}${node.greedy ? "" : " lazy"}}`;
    case "concat":
      return node.children.map(show).join("");
    case "alternate":
      return `(${node.children.map(show).join("|")})`;
    default:
      return node satisfies never;
  }
}
const tree = (pattern: string): string => show(parse(pattern));

describe("parse", () => {
  it("binds repetition before sequence before choice", () => {
    expect(tree("ab*|b")).toBe("([a][b]{0,Infinity}|[b])");
    expect(tree("(?:ab)+?")).toBe("[a][b]{1,Infinity lazy}");
    expect(tree("a|")).toBe("([a]|ε)");
  });

  it("numbers captures from the left, named or not", () => {
    expect(tree("((a)(?P<n>b))(?<m>1)")).toBe("1(2([a])3([b]))4([1])");
  });

  it("keeps flags to the end of their group", () => {
    expect(tree("(?i)a(?-i)b")).toBe("[aA][b]");
    expect(tree("(?i:a)b")).toBe("[aA][b]");
    expect(tree("(a(?i)b)a")).toBe("1([a][bB])[a]");
    expect(tree("(?m)^$(?-m)^$")).toBe("<begin-line><end-line><begin-text><end-text>");
    expect(tree("(?s).(?-s).")).toBe("[abAB1-¶][abAB1-]");
    expect(tree("(?U)a+a+?")).toBe("[a]{1,Infinity lazy}[a]{1,Infinity}");
  });

  it("treats braces that are no counts literally", () => {
    expect(tree("a{1,2}")).toBe("[a]{1,2}");
    for (const literal of ["a{,2}", "a{01}", "a{", "a{1", "a{1,x}"]) expect(tree(literal)).toMatch(/^\[a\]\[\]/);
  });

  it("treats everything between \\Q and \\E literally", () => {
    expect(tree("\\Qa1-\\E")).toBe("[a][1][-]");
    expect(tree("\\Qab")).toBe("[a][b]");
    expect(tree("\\Qab\\E+")).toBe("[a][b]{1,Infinity}");
  });

  it("parses assertions", () => {
    expect(tree("\\A\\b\\B\\z^$")).toBe("<begin-text><word-boundary><no-word-boundary><end-text><begin-text><end-text>");
  });
});
