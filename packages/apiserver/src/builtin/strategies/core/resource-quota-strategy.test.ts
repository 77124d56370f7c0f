import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ResourceQuotaSpec } from "@drover/api/core/v1";
import { resourceQuotaStrategy } from "./resource-quota-strategy.ts";

const metadata = { name: "a" };
const texts = (spec: ResourceQuotaSpec): string[] => (resourceQuotaStrategy.validate?.({ metadata, spec }) ?? []).map(printFieldError);

describe("ResourceQuota strategy", () => {
  it("validates resource names", () => {
    expect(texts({ hard: { pods: "1", "requests.cpu": "1", "count/jobs.batch": "1", "requests.a.b/gpu": "1" } })).toEqual([]);
    expect(texts({ hard: { storage: "1" } })).toEqual([
      'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
    ]);
    expect(texts({ hard: { pods: "1500m" } })).toEqual(['spec.hard[pods]: Invalid value: "1500m": must be an integer']);
  });

  it("refuses scopes that conflict with each other or with resources", () => {
    expect(texts({ hard: { services: "1" }, scopes: ["BestEffort", "NotBestEffort"] })).toEqual([
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: unsupported scope applied to resource',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: unsupported scope applied to resource',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ]);
  });

  it("requires values for scope operators In and NotIn", () => {
    expect(texts({ scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] } })).toEqual([
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ]);
  });

  it("keeps scopes immutable, in any order", () => {
    const update = (scopes: ResourceQuotaSpec["scopes"]): string[] =>
      (
        resourceQuotaStrategy.validateUpdate?.(
          { metadata, spec: scopes === undefined ? {} : { scopes } },
          { metadata, spec: { scopes: ["Terminating", "BestEffort"] } },
        ) ?? []
      ).map(printFieldError);
    expect(update(["BestEffort", "Terminating"])).toEqual([]);
    expect(update(undefined)).toEqual(["spec.scopes: Invalid value: null: field is immutable"]);
  });

  it("warns about requests above limits", () => {
    expect(resourceQuotaStrategy.warningsOnCreate?.({ metadata, spec: { hard: { cpu: "2", "limits.cpu": "1" } } })).toEqual([
      "ResourceQuota cpu (2) should be less than limits.cpu (1)",
    ]);
  });
});
