import { describe, expect, it } from "vitest";
import { Reinvocation } from "./reinvocation.ts";

describe("Reinvocation", () => {
  it("requires the policies that ran before a change, and no others", () => {
    const state = new Reinvocation();
    state.addInvoked("a");
    state.requireInvoked();
    state.addInvoked("b");
    expect([state.isRequired("a"), state.isRequired("b"), state.isRequired("c")]).toEqual([true, false, false]);
    state.requireInvoked();
    expect(state.isRequired("b")).toBe(true);
  });

  it("sees changes by others between the rounds", () => {
    const state = new Reinvocation();
    const object = { a: { b: 1 } };
    state.endRound(object);
    expect(state.isChanged({ a: { b: 1 } })).toBe(false);
    object.a.b = 2;
    expect(state.isChanged(object)).toBe(true);
  });
});
