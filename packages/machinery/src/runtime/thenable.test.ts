import { describe, expect, it } from "vitest";
import { isThenable } from "./thenable.ts";

// oxlint-disable-next-line unicorn/no-thenable -- such objects are what the function recognizes
const withThen = (then: unknown): object => ({ then });

describe("isThenable", () => {
  it("is true for promises and for objects with a then function", () => {
    expect([Promise.resolve(), withThen(() => undefined)].map(isThenable)).toEqual([true, true]);
  });

  it("is false for anything else", () => {
    expect([undefined, null, "then", withThen(1), {}, []].map(isThenable)).toEqual([false, false, false, false, false, false]);
  });
});
