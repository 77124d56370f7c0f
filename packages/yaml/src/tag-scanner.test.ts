import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

describe("tags and directives", () => {
  it.each([
    ["%YAML 1.2\n---\na", "incompatible"],
    ["%YAML 1.1\n%YAML 1.1\n---\na", "duplicate %YAML"],
    ["%YAML 1\n---\n", "digit or '.'"],
    ["%FOO\n---\n", "unknown directive"],
    ["%\n---\n", "directive name"],
    ["%YAML 1.1\na", "expected <document start>"],
    ["%TAG ! a\n%TAG ! b\n---\n", "duplicate %TAG"],
    ["!e!x a", "undefined tag handle"],
    ["!<a", "expected '>'"],
    ["!!a{} b", "whitespace"],
    ["!%zz a", "URI escaped octet"],
    ["!! a", "tag URI"],
  ])("reject %j", (text, problem) => expect(() => parseYaml(text)).toThrow(problem));

  it("are parsed", () => {
    expect(parseYaml("%YAML 1.1 # yes\n%TAG !! tag:yaml.org,2002:\n---\n!!str 1")).toBe("1");
    expect(parseYaml("!%C3%A9 1")).toBe("1");
  });
});
