import { describe, expect, it } from "vitest";
import { ownText } from "./own-text.ts";

describe("ownText", () => {
  it("leaves what fits and marks what was cut", () => {
    expect([ownText("short", 5), ownText("longer", 5), ownText("", 5)]).toEqual(["short", "long…", ""]);
  });
});
