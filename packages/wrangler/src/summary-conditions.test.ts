import { describe, expect, it } from "vitest";
import { errorConditions, transitioningFalse, transitioningTrue, transitioningUnknown } from "./summary-conditions.ts";

describe("errorConditions", () => {
  it("uses only the list of a kind that has one", () => {
    const isError = errorConditions({ apiVersion: "apps/v1", kind: "Deployment", metadata: {} });
    expect([
      isError("Progressing", "False"),
      isError("Progressing", "True"),
      isError("ReplicaFailure", "True"),
      isError("Failed", "True"),
    ]).toEqual([true, false, true, false]);
  });

  it("uses the default list for other kinds", () => {
    const isError = errorConditions({ metadata: {} });
    expect([
      isError("Failed", "True"),
      isError("Stalled", "False"),
      isError("constructor", "True"),
      isError("Progressing", "False"),
    ]).toEqual([true, false, false, false]);
  });
});

describe("condition tables", () => {
  it("list each type once", () => {
    const all = [...transitioningUnknown.keys(), ...transitioningTrue.keys(), ...transitioningFalse.keys()];
    expect(new Set(all).size).toBe(all.length);
  });
});
