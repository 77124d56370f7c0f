import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { bearerHeader } from "./bearer.ts";

describe("bearerHeader", () => {
  it("accepts any printable token", () => {
    const token = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
    expect(bearerHeader(new Secret(token), "it").reveal()).toBe(`Bearer ${token}`);
  });

  it.each(["", " ", "a b", "a\n", "a\u007f", "ä", "a\r\nx-evil: 1"])(
    "rejects %j with an error that names the subject but not the token",
    (token) => {
      expect(() => bearerHeader(new Secret(token), "the token file /t")).toThrow(
        /^the token file \/t (?:is empty|contains a space, a line break or another character)/,
      );
    },
  );
});
