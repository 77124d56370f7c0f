import { describe, expect, it } from "vitest";
import { unquoteText } from "./unquote-text.ts";

describe("unquoteText", () => {
  it("replaces escapes", () => {
    expect(unquoteText("plain", "'")).toBe("plain");
    expect(unquoteText("a\\nb\\\\c", '"')).toBe("a\nb\\c");
    expect(unquoteText("\\x41\\u00e9\\U0001f600\\101", '"')).toBe("Aé😀A");
    expect(unquoteText("it\\'s", "'")).toBe("it's");
  });

  it("refuses unknown escapes, such as the other quote", () => {
    expect(() => unquoteText("it\\'s", '"')).toThrow("invalid syntax");
    expect(() => unquoteText("\\", '"')).toThrow("invalid syntax");
    expect(() => unquoteText("\\U00110000", '"')).toThrow("invalid syntax");
  });
});
