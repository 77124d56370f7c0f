import { describe, expect, it } from "vitest";
import { elements } from "./elements.ts";

describe("elements", () => {
  it("returns no elements for an absent or null list", () => {
    expect([elements(undefined), elements(null), elements([1])]).toEqual([[], [], [1]]);
  });
});
