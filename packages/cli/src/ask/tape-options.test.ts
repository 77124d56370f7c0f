import { describe, expect, it } from "vitest";
import { readTapeOptions } from "./tape-options.ts";

const read = (words: string): unknown => readTapeOptions(words.split(" "));

describe("readTapeOptions", () => {
  it("reads actions with files, an object and an operator", () => {
    expect(read("save f --deployment op -n shop")).toEqual({
      action: "save",
      file: "f",
      json: false,
      from: { target: { type: "deployment", name: "op", namespace: "shop" } },
    });
    expect(read("show f cm/a -n shop --json")).toEqual({
      action: "show",
      file: "f",
      json: true,
      object: { kind: "cm", name: "a", namespace: "shop" },
    });
    expect(read("diff a b cm x --controller c")).toEqual({
      action: "diff",
      a: "a",
      b: "b",
      json: false,
      controller: "c",
      object: { kind: "cm", name: "x" },
    });
    expect(read("diff --help")).toBe("help");
  });

  it.each([
    ["list", "needs one of save, show, diff"],
    ["save", "drover tape save FILE"],
    ["diff a", "drover tape diff A B"],
    ["show f web", 'not "web"'],
    ["show f --port 1", "so --port has no effect"],
    ["show f -n shop", "-n is the namespace of KIND/NAME"],
    ["save f --follow", 'no option "--follow"'],
  ])("drover tape %s is refused with the fix", (words, message) => {
    expect(read(words)).toEqual({ mistake: expect.stringContaining(message) as string });
  });
});
