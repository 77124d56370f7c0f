import { describe, expect, it } from "vitest";
import { JsonPathError } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

describe("parseJsonPath", () => {
  it("parses fields, with a backslash before dots in names", () => {
    expect(parseJsonPath(".spec.a\\.b")).toEqual([
      { kind: "field", name: "spec" },
      { kind: "field", name: "a.b" },
    ]);
    expect(parseJsonPath(".metadata.labels['app\\.io/name']")).toEqual(parseJsonPath(".metadata.labels.app\\.io/name"));
  });

  it("splits a bracketed key at its dots, as kubectl does", () => {
    expect(parseJsonPath("['a.b']")).toEqual([
      { kind: "field", name: "a" },
      { kind: "field", name: "b" },
    ]);
  });

  it("parses wildcards, recursive descent, slices and unions", () => {
    expect(parseJsonPath(".a.*")).toEqual([{ kind: "field", name: "a" }, { kind: "wildcard" }]);
    expect(parseJsonPath("..name")).toEqual([{ kind: "descendants" }, { kind: "field", name: "name" }]);
    expect(parseJsonPath("[*]")).toEqual([{ kind: "items" }]);
    expect(parseJsonPath("[-1:]")).toEqual([{ kind: "items", from: -1 }]);
    expect(parseJsonPath("[1:5:2]")).toEqual([{ kind: "items", from: 1, to: 5, step: 2 }]);
    expect(parseJsonPath("[]")).toEqual([{ kind: "items", to: "next" }]);
    expect(parseJsonPath("[0, 2]")).toEqual([
      { kind: "union", paths: [[{ kind: "items", from: 0, to: "next" }], [{ kind: "items", from: 2, to: "next" }]] },
    ]);
  });

  it("parses comparison and existence filters", () => {
    expect(parseJsonPath('[?(@.type=="Re)ady")]')).toEqual([
      { kind: "filter", left: [{ kind: "field", name: "type" }], operator: "==", right: [{ kind: "literal", value: "Re)ady" }] },
    ]);
    expect(parseJsonPath("[?(@.n >= -1.5)]")).toEqual([
      { kind: "filter", left: [{ kind: "field", name: "n" }], operator: ">=", right: [{ kind: "literal", value: -1.5 }] },
    ]);
    expect(parseJsonPath("[?(@.on)]")).toEqual([{ kind: "filter", left: [{ kind: "field", name: "on" }], operator: "exists", right: [] }]);
    expect(parseJsonPath("[?(@.on==true)]")).toMatchObject([{ right: [{ kind: "literal", value: true }] }]);
  });

  it("parses quoted strings with escaped quotes", () => {
    expect(parseJsonPath("'it\\'s'")).toEqual([{ kind: "literal", value: "it's" }]);
    expect(parseJsonPath("[?(@.a=='x\\')y')]")).toMatchObject([{ right: [{ kind: "literal", value: "x')y" }] }]);
  });

  it("skips $, @ and spaces", () => {
    expect(parseJsonPath("$ .a@")).toEqual([{ kind: "field", name: "a" }]);
  });

  it.each([
    [".a[", "unterminated array"],
    [".a[x]", "invalid array index x"],
    [".a[-]", "array index - is not a number"],
    ["[?(@.a", "unterminated filter"],
    ["[?(@.a)", "unclosed array expect ]"],
    ["'a", "unterminated quoted string"],
    ["....", "invalid multiple recursive descent"],
    [".a\n.b", "unclosed action"],
    [".a}", "unrecognized character in action: }"],
    ["1.2.3", "cannot parse number 1.2.3"],
    ["'\\q'", "unquote string '\\q' error invalid syntax"],
  ])("reports what is wrong with %j", (text, problem) => {
    expect(() => parseJsonPath(text)).toThrow(new JsonPathError(problem));
  });
});
