import { describe, expect, it } from "vitest";
import { randomSequence } from "./step-grammar.ts";

describe("random sequences", () => {
  const sequences = Array.from({ length: 200 }, (_, seed) => randomSequence(seed));
  it("depend on the seed alone", () => {
    expect(randomSequence(7)).toEqual(sequences[7]);
    expect(randomSequence(8)).not.toEqual(sequences[7]);
  });
  it("begin with a create, end with a watch, and use every verb, every kind of patch and YAML", () => {
    for (const steps of sequences) {
      expect(steps.at(0)?.method).toBe("POST");
      expect(steps.at(-1)?.method).toBe("WATCH");
      expect(steps.length).toBeGreaterThanOrEqual(12);
    }
    const all = sequences.flat();
    expect(new Set(all.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "WATCH"]));
    expect(new Set(all.map(({ contentType }) => contentType))).toEqual(
      new Set([
        undefined,
        "application/yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        "application/apply-patch+yaml",
      ]),
    );
    expect(new Set(all.map(({ names }) => names[1]))).toEqual(new Set([undefined, "status", "scale"]));
    expect(new Set(all.map(({ resource }) => resource)).size).toBe(8);
  });
});
