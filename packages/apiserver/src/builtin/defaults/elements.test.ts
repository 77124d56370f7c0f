import { describe, expect, it } from "vitest";
import { elements } from "./elements.ts";

describe("the elements of a list", () => {
  it("are none where there is no list", () => {
    expect([elements(undefined), elements(null), elements([1])]).toEqual([[], [], [1]]);
  });
});
