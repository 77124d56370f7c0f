import { describe, expect, it } from "vitest";
import { assert, AssertionError } from "./assert.ts";

describe("assert", () => {
  it("throws an AssertionError that blames Drover", () => {
    expect(() => assert(false, "the queue is empty")).toThrow(new AssertionError("the queue is empty"));
    expect(new AssertionError("x").message).toBe("this is a bug in drover: x");
    expect(new AssertionError("x").name).toBe("AssertionError");
  });

  it("narrows the asserted type and passes otherwise", () => {
    const value: string | undefined = ["a"][0];
    assert(value !== undefined, "no value");
    expect(value.length).toBe(1);
  });
});
