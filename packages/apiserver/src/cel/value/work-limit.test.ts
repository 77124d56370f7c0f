import { describe, expect, it } from "vitest";
import { limitCharacters, madeCharactersMax, WorkLimitError } from "./work-limit.ts";

describe("limitCharacters", () => {
  it("refuses to build huge strings", () => {
    expect(() => limitCharacters(madeCharactersMax)).not.toThrow();
    expect(() => limitCharacters(madeCharactersMax + 1)).toThrow(WorkLimitError);
  });
});
