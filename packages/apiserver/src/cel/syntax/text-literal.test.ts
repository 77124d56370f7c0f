import { describe, expect, it } from "vitest";
import { readBytesLiteral, readTextLiteral } from "./text-literal.ts";

describe("literals", () => {
  it.each([
    ["'a\\n'", "a\n"],
    ["r'\\n'", "\\n"],
    ['"""a"b"""', 'a"b'],
    ["'\\u00e4\\x41\\101'", "\u00e4AA"],
  ])("%s is %j", (literal, text) => {
    expect(readTextLiteral(literal)).toEqual({ text });
  });

  it("takes escapes in bytes for bytes, and refuses code points that are none", () => {
    expect(readBytesLiteral("'\\xff\u00e4'")).toEqual({ bytes: Uint8Array.of(255, 195, 164) });
    expect(readTextLiteral("'\\ud800'")).toEqual({ problem: "unable to unescape string" });
  });
});
