import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { generateName } from "./name-generator.ts";

describe("a generated name", () => {
  it("is the prefix and five characters that never make a word", () => {
    expect(generateName("web-", createRandom(1))).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });
  it("has at most 63 characters, whatever the kind allows", () => {
    expect(generateName("x".repeat(200), createRandom(1))).toHaveLength(63);
  });
});
