import { describe, expect, it } from "vitest";
import { readOptions } from "./read-options.ts";
import type { Flags } from "./read-options.ts";

const flags: Flags = { name: { type: "string" }, all: { type: "boolean", short: "a" } };
const read = (...words: string[]): unknown => {
  const outcome = readOptions("drover x", flags, words);
  return typeof outcome === "string" ? outcome : [Object.fromEntries(outcome.given), outcome.rest];
};

describe("readOptions", () => {
  it("returns all values of each option, and positional arguments", () => {
    expect(read("one", "--name", "a", "--name=b", "-a", "two", "--", "--name")).toEqual([
      { name: ["a", "b"], all: [""] },
      ["one", "two", "--name"],
    ]);
    expect(read()).toEqual([{}, []]);
  });

  it("reports invalid options with a fix", () => {
    expect(read("--nmae", "a")).toBe('drover x has no option "--nmae"; it has --name, --all');
    expect(read("--__proto__=1")).toBe('drover x has no option "--__proto__"; it has --name, --all');
    for (const words of [["--name"], ["--name="], ["--name", "--all"]])
      expect(read(...words)).toBe("--name needs a value: --name=…; see drover x --help");
    expect(read("--all=yes")).toBe('--all takes no value, but got "yes"');
  });
});
