import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { generateName } from "./name-generator.ts";

describe("generateName", () => {
  it("appends five characters without vowels to the prefix", () => {
    expect(generateName("web-", createRandom(1))).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });
  it("returns at most 63 characters", () => {
    expect(generateName("x".repeat(200), createRandom(1))).toHaveLength(63);
  });
});
