import { describe, expect, it } from "vitest";
import { readBytesLiteral, readTextLiteral } from "./text-literal.ts";

describe("CEL string and bytes literals", () => {
  it.each([
    ["'a\\n'", "a\n"],
    ["r'\\n'", "\\n"],
    ['"""a"b"""', 'a"b'],
    ["'\\u00e4\\x41\\101'", "\u00e4AA"],
  ])("parse %s to %j", (literal, text) => {
    expect(readTextLiteral(literal)).toEqual({ text });
  });

  it("read escapes in bytes literals as bytes, and refuse invalid code points", () => {
    expect(readBytesLiteral("'\\xff\u00e4'")).toEqual({ bytes: Uint8Array.of(255, 195, 164) });
    expect(readTextLiteral("'\\ud800'")).toEqual({ problem: "unable to unescape string" });
  });
});
