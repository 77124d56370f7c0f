import { describe, expect, it } from "vitest";
import { errorConditions, transitioningFalse, transitioningTrue, transitioningUnknown } from "./summary-conditions.ts";

describe("errorConditions", () => {
  it("asks what is known of the kind, and only that", () => {
    const isError = errorConditions({ apiVersion: "apps/v1", kind: "Deployment", metadata: {} });
    expect([
      isError("Progressing", "False"),
      isError("Progressing", "True"),
      isError("ReplicaFailure", "True"),
      isError("Failed", "True"),
    ]).toEqual([true, false, true, false]);
  });

  it("asks what mostly holds for kinds that it does not know", () => {
    const isError = errorConditions({ metadata: {} });
    expect([
      isError("Failed", "True"),
      isError("Stalled", "False"),
      isError("constructor", "True"),
      isError("Progressing", "False"),
    ]).toEqual([true, false, false, false]);
  });
});

describe("what conditions mean", () => {
  it("is one thing for each type", () => {
    const all = [...transitioningUnknown.keys(), ...transitioningTrue.keys(), ...transitioningFalse.keys()];
    expect(new Set(all).size).toBe(all.length);
  });
});
