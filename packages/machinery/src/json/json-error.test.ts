import { describe, expect, it } from "vitest";
import { JsonError, jsonPosition } from "./json-error.ts";

describe("JsonError", () => {
  it("names the position in its message and keeps the server's message separately", () => {
    const error = new JsonError("syntax", "invalid character 'x'", jsonPosition("{\n\n  x", 5));
    expect(error.message).toBe("invalid character 'x' (line 3, column 3, offset 5)");
    expect(error).toMatchObject({ name: "JsonError", detail: "invalid character 'x'", reason: "syntax" });
    expect(new JsonError("size", "too large").message).toBe("too large");
  });
  it("counts lines by their breaks", () => {
    expect(jsonPosition("", 0)).toEqual({ offset: 0, line: 1, column: 1 });
    expect(jsonPosition("ab\ncd", 2)).toEqual({ offset: 2, line: 1, column: 3 });
    expect(jsonPosition("ab\ncd", 3)).toEqual({ offset: 3, line: 2, column: 1 });
  });
});
