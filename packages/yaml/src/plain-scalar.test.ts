import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

describe("plain scalars", () => {
  it.each([
    ["a b  c", "a b  c"],
    ["a\n b\n\n c", "a b\nc"],
    ["a#b", "a#b"],
    ["a #b", "a"],
    ["-a", "-a"],
    ["a:b", "a:b"],
    ["http://x/y?z#f", "http://x/y?z#f"],
    [":a", ":a"],
    ["?a", "?a"],
    ["[a:b, c d]", ["a:b", "c d"]],
    ["[a\n b]", ["a b"]],
    ["- a\n  b\n- c", ["a b", "c"]],
  ])("parse %j", (text, value) => expect(parseYaml(text)).toEqual(value));
});
