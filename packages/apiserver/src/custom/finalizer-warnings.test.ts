import { describe, expect, it } from "vitest";
import { finalizerWarnings } from "./finalizer-warnings.ts";

describe("finalizerWarnings", () => {
  it("recommends domain-qualified finalizer names", () => {
    expect(finalizerWarnings({ finalizers: ["x", "a.b", "ok.io/x", "kubernetes", "orphan", "foregroundDeletion"] })).toEqual([
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  it("covers new finalizers only", () => {
    expect(finalizerWarnings({ finalizers: ["x", "y"] }, { finalizers: ["x"] })).toHaveLength(1);
    expect(finalizerWarnings({}, { finalizers: ["x"] })).toEqual([]);
  });
});
