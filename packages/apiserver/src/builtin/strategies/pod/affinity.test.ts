import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateAffinity, validateLabelKeys } from "./affinity.ts";

describe("validateAffinity", () => {
  it("requires weights from 1 to 100", () => {
    expect(
      texts(validateAffinity({ nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] } }, "a")),
    ).toEqual(["a.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100"]);
  });

  it("requires a topologyKey for pod affinity", () => {
    expect(
      texts(validateAffinity({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "" }] } }, "a"))[0],
    ).toBe("a.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty");
  });
});

describe("validateLabelKeys", () => {
  it("requires a labelSelector", () => {
    expect(texts(validateLabelKeys(["a"], undefined, undefined, "t"))).toEqual([
      "t.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
    ]);
  });

  it("refuses duplicate keys", () => {
    const selector = { matchLabels: { a: "x" }, matchExpressions: [{ key: "a", operator: "In" as const, values: ["x"] }] };
    expect(texts(validateLabelKeys(["a"], ["a"], selector, "t"))).toEqual([
      't[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
      't.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys',
    ]);
  });
});
