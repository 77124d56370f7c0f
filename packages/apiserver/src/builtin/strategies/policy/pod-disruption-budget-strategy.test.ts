import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PodDisruptionBudgetSpec } from "@drover/api/policy/v1";
import { podDisruptionBudgetStrategy } from "./pod-disruption-budget-strategy.ts";

const metadata = { name: "a" };
const texts = (spec: PodDisruptionBudgetSpec): string[] =>
  (podDisruptionBudgetStrategy.validate?.({ metadata, spec }) ?? []).map(printFieldError);

describe("PodDisruptionBudget strategy", () => {
  it("allows one of minAvailable and maxUnavailable", () => {
    expect([texts({}), texts({ minAvailable: 1 }), texts({ maxUnavailable: "100%" })]).toEqual([[], [], []]);
    expect(texts({ minAvailable: 1, maxUnavailable: "5%" })).toEqual([
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"5%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ]);
    expect(texts({ minAvailable: "101%" })).toEqual(['spec.minAvailable: Invalid value: "101%": must not be greater than 100%']);
    expect(texts({ minAvailable: -1 })).toEqual(["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"]);
  });

  it("accepts an invalid selector that existed before", () => {
    const spec: PodDisruptionBudgetSpec = { selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] } };
    expect(texts(spec)).toHaveLength(1);
    expect(podDisruptionBudgetStrategy.validateUpdate?.({ metadata, spec }, { metadata, spec })).toEqual([]);
  });

  it("refuses negative counts in the status", () => {
    const status = { currentHealthy: -1, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
    expect(
      (podDisruptionBudgetStrategy.subresources?.["status"]?.validateUpdate?.({ metadata, status }, { metadata }) ?? []).map(
        printFieldError,
      ),
    ).toEqual(["status.currentHealthy: Invalid value: -1: must be greater than or equal to 0"]);
  });
});
