import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { MetricSpec } from "@drover/api/autoscaling/v2";
import { findVersionProblem, validateMetrics, validateObjectReference } from "./metric-validation.ts";

const rules = { allowEmptyGroup: false, allowAnything: false };
const texts = (...metrics: MetricSpec[]): string[] => validateMetrics(metrics, 1, "m", rules).map(printFieldError);

describe("validateMetrics", () => {
  it("requires exactly the source that the type names", () => {
    expect(texts({ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } })).toEqual([]);
    expect(texts({ type: "Resource" })).toEqual(["m[0].resource: Required value: must populate information for the given metric source"]);
    expect(
      texts({
        type: "Pods",
        pods: { metric: { name: "a" }, target: { type: "AverageValue", averageValue: "1" } },
        resource: { name: "cpu", target: { type: "Value" } },
      }),
    ).toEqual(["m[0].resource: Forbidden: must populate the given metric source only"]);
  });

  it("requires positive targets", () => {
    expect(texts({ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } } })).toEqual([
      "m[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    ]);
    expect(
      texts({ type: "External", external: { metric: { name: "a" }, target: { type: "Value", value: "1", averageValue: "1" } } }),
    ).toEqual(["m[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target"]);
  });

  it("allows minReplicas 0 only with an object or external metric", () => {
    expect(validateMetrics([], 0, "m", rules).map(printFieldError)).toEqual([
      "m: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
    ]);
  });
});

describe("validateObjectReference", () => {
  it("requires an API group unless exempt", () => {
    expect(validateObjectReference({ apiVersion: "apps/v1", kind: "Deployment", name: "d" }, "r", rules)).toEqual([]);
    expect(validateObjectReference({ apiVersion: "v1", kind: "K", name: "n" }, "r", rules).map(printFieldError)).toEqual([
      'r.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ]);
    expect(validateObjectReference({ apiVersion: "a/b/c", kind: "K", name: "n" }, "r", { ...rules, allowAnything: true })).toEqual([]);
    expect(findVersionProblem("a/b/c", rules)).toBe("unexpected GroupVersion string: a/b/c");
  });
});
