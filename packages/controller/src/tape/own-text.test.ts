import { describe, expect, it } from "vitest";
import { ownText } from "./own-text.ts";

describe("ownText", () => {
  it("keeps a text that fits and marks one that was cut", () => {
    expect([ownText("short", 5), ownText("longer", 5), ownText("", 5)]).toEqual(["short", "long…", ""]);
  });
});
