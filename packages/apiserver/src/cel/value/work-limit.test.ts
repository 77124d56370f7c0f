import { describe, expect, it } from "vitest";
import { limitCharacters, madeCharactersMax, WorkLimitError } from "./work-limit.ts";

describe("the limit of work", () => {
  it("refuses to make huge texts", () => {
    expect(() => limitCharacters(madeCharactersMax)).not.toThrow();
    expect(() => limitCharacters(madeCharactersMax + 1)).toThrow(WorkLimitError);
  });
});
