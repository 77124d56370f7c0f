import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { staticTokenSource } from "./static-token.ts";

describe("staticTokenSource", () => {
  it("sends the token, and has no other after a rejection", async () => {
    const source = staticTokenSource(new Secret("t0p"));
    const header = await source.header({});
    expect(header?.reveal()).toBe("Bearer t0p");
    expect(await source.refused(header)).toBe(false);
  });

  it.each([
    ["", "the token is empty"],
    ["t0p\n", "line break"],
    ["t 0p", "a space"],
    ["tøp", "another character"],
  ])("rejects %j without quoting it", (token, message) => {
    expect(() => staticTokenSource(new Secret(token))).toThrow(message);
    expect(() => staticTokenSource(new Secret(token))).not.toThrow(/t.?0p|tøp/);
  });
});
