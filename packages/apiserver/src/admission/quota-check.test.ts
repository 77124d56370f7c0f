import type { Pod, ResourceQuota } from "@drover/api/core/v1";
import { printAmounts, quotaEvaluators } from "@drover/api/quota";
import type { QuotaWrite } from "@drover/api/quota";
import { assert } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { checkQuotas } from "./quota-check.ts";

const quota = (hard: Record<string, string>, used: Record<string, string>, spec: ResourceQuota["spec"] = {}): ResourceQuota => ({
  metadata: { name: "q" },
  spec,
  status: { hard, used },
});
const pod = (cpu: string, spec: Partial<NonNullable<Pod["spec"]>> = {}): Pod => ({
  metadata: { name: "p" },
  spec: { containers: [{ name: "c", resources: { requests: { cpu } } }], ...spec },
});
const { of } = quotaEvaluators(() => 0);
/** The refusal, or what each charged quota has used then. */
function outcome(quotas: readonly ResourceQuota[], write: Partial<QuotaWrite>, resource = "pods"): string | readonly string[] {
  const evaluator = of({ group: "", resource });
  assert(evaluator !== undefined, `${resource} count`);
  const result = checkQuotas(quotas, { operation: "CREATE", subresource: "", object: pod("1"), old: undefined, ...write }, evaluator);
  return "refused" in result ? result.refused : [...result.used.values()].map(printAmounts);
}

describe("checkQuotas", () => {
  it("charges what the object uses of what a quota limits", () => {
    expect(outcome([quota({ "requests.cpu": "3", pods: "2" }, { "requests.cpu": "2", pods: "0" })], {})).toEqual(["pods=1,requests.cpu=3"]);
  });

  it("says what is exceeded, and only that", () => {
    expect(outcome([quota({ "requests.cpu": "2500m", pods: "1", cpu: "9" }, { "requests.cpu": "2", pods: "1", cpu: "2" })], {})).toBe(
      "exceeded quota: q, requested: pods=1,requests.cpu=1, used: pods=1,requests.cpu=2, limited: pods=1,requests.cpu=2500m",
    );
  });

  it("refuses what it cannot count", () => {
    expect(outcome([quota({ "limits.cpu": "1" }, { "limits.cpu": "0" })], {})).toBe("failed quota: q: must specify limits.cpu for: c");
    expect(outcome([quota({ pods: "1", cpu: "1", services: "1" }, { services: "0" })], {})).toBe(
      "status unknown for quota: q, resources: cpu,pods",
    );
    expect(outcome([quota({ cpu: "1" }, { cpu: "0" })], { object: pod("-1") })).toBe(
      "quota usage is negative for resource(s): cpu,requests.cpu",
    );
  });

  it("ignores quotas without a status, of other objects and of other scopes", () => {
    expect(outcome([{ metadata: { name: "q" }, spec: { hard: { pods: "0" } } }], {})).toEqual([]);
    expect(outcome([quota({ services: "0" }, { services: "0" })], {})).toEqual([]);
    expect(outcome([quota({ pods: "0" }, { pods: "0" }, { scopes: ["BestEffort"] })], {})).toEqual([]);
    expect(outcome([quota({ pods: "0" }, { pods: "0" }, { scopes: ["NotBestEffort", "Terminating"] })], {})).toEqual([]);
  });

  it("charges an update with the increase, and never gives back", () => {
    const resized = { operation: "UPDATE", subresource: "resize" } as const;
    const full = [quota({ cpu: "2" }, { cpu: "2" })];
    expect(outcome([quota({ cpu: "4" }, { cpu: "2" })], { ...resized, object: pod("3"), old: pod("2") })).toEqual(["cpu=3"]);
    expect(outcome(full, { ...resized, object: pod("3"), old: pod("2") })).toBe(
      "exceeded quota: q, requested: cpu=1, used: cpu=2, limited: cpu=2",
    );
    expect(outcome(full, { ...resized, object: pod("1"), old: pod("2") })).toEqual([]);
  });

  it("charges an object that comes into a scope with all it uses", () => {
    const ending = pod("1", { activeDeadlineSeconds: 5 });
    expect(
      outcome([quota({ cpu: "2" }, { cpu: "0" }, { scopes: ["Terminating"] })], { operation: "UPDATE", object: ending, old: pod("1") }),
    ).toEqual(["cpu=1"]);
  });

  it("charges what a controller reports even if it is too much", () => {
    const claim = (storage: string): object => ({
      metadata: {},
      spec: { resources: { requests: { storage: "1" } } },
      status: { allocatedResources: { storage } },
    });
    const write = { operation: "UPDATE", object: claim("5"), old: claim("1") } as const;
    const full = [quota({ "requests.storage": "2" }, { "requests.storage": "1" })];
    expect(outcome(full, { ...write, subresource: "status" }, "persistentvolumeclaims")).toEqual(["requests.storage=5"]);
    expect(outcome(full, { ...write, subresource: "" }, "persistentvolumeclaims")).toContain("exceeded quota");
  });
});
