import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { bearerHeader } from "./bearer.ts";

describe("bearerHeader", () => {
  it("carries any printable token", () => {
    const token = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
    expect(bearerHeader(new Secret(token), "it").reveal()).toBe(`Bearer ${token}`);
  });

  it.each(["", " ", "a b", "a\n", "a\u007f", "ä", "a\r\nx-evil: 1"])("refuses %j, naming what it is and not what it holds", (token) => {
    expect(() => bearerHeader(new Secret(token), "the token file /t")).toThrow(
      /^the token file \/t (?:is empty|holds a space, a line break or another character)/,
    );
  });
});
