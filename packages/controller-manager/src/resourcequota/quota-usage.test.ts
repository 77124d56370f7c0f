import type { Pod, ResourceQuota } from "@drover/api/core/v1";
import { quotaEvaluators } from "@drover/api/quota";
import type { QuotaEvaluator } from "@drover/api/quota";
import { assert } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { quotaUsage } from "./quota-usage.ts";
import type { CountedKind, QuotaUsage } from "./quota-usage.ts";

const { of } = quotaEvaluators(() => 0);
const evaluatorOf = (resource: string): QuotaEvaluator => {
  const found = of({ group: "", resource });
  assert(found !== undefined, `${resource} count`);
  return found;
};
const kind = (resource: string, objects: readonly object[], hasSynced = true): CountedKind => ({
  evaluator: evaluatorOf(resource),
  hasSynced,
  count: (namespace) => (namespace === "shop" ? objects.length : 0),
  list: (namespace) => (namespace === "shop" ? objects : []),
});
const pod = (cpu?: string): Pod => ({
  metadata: {},
  spec: { containers: [{ name: "c", ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }) }] },
});
const quota = (hard: Record<string, string>, status: ResourceQuota["status"] = {}, spec: ResourceQuota["spec"] = {}): ResourceQuota => ({
  metadata: { name: "q", namespace: "shop" },
  spec: { hard, ...spec },
  status,
});
const usage = (one: ResourceQuota, ...kinds: readonly CountedKind[]): QuotaUsage =>
  quotaUsage(one, kinds, (evaluator, object) => evaluator.usage(object));

describe("quotaUsage", () => {
  it("sums up what the objects of the namespace use, and zero of what none uses", () => {
    const kinds = [kind("pods", [pod("1"), pod("500m"), pod()]), kind("configmaps", [{}, {}])];
    expect(usage(quota({ pods: "9", "requests.cpu": "9", configmaps: "9", "limits.cpu": "1" }), ...kinds)).toEqual({
      status: {
        hard: { configmaps: "9", "limits.cpu": "1", pods: "9", "requests.cpu": "9" },
        used: { configmaps: "2", "limits.cpu": "0", pods: "3", "requests.cpu": "1500m" },
      },
      isNew: true,
      isLess: false,
      unknown: [],
    });
  });

  it("counts only objects in the scopes of the quota", () => {
    const best = quota({ pods: "9" }, {}, { scopes: ["BestEffort"] });
    expect(usage(best, kind("pods", [pod("1"), pod()])).status.used).toEqual({ pods: "1" });
    expect(usage({ ...best, spec: { ...best.spec, hard: { configmaps: "1" } } }, kind("configmaps", [{}])).status.used).toEqual({
      configmaps: "0",
    });
  });

  it("is not new if the status says the same in other words", () => {
    const kinds = [kind("pods", [pod("1")])];
    expect(usage(quota({ cpu: "2" }, { hard: { cpu: "2000m" }, used: { cpu: "1000m" } }), ...kinds).isNew).toBe(false);
    expect(usage(quota({ cpu: "2" }, { hard: { cpu: "3" }, used: { cpu: "1" } }), ...kinds).isNew).toBe(true);
    expect(usage(quota({}), ...kinds).isNew).toBe(false);
  });

  it("is less if something is given back", () => {
    const less = (used: Record<string, string>): boolean =>
      usage(quota({ pods: "9", cpu: "9" }, { used }), kind("pods", [pod("1")])).isLess;
    expect([less({ pods: "2", cpu: "0" }), less({ pods: "1", cpu: "1" }), less({ pods: "0" }), less({})]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("keeps what was used of kinds it does not know yet, and names them", () => {
    const before = { hard: { pods: "9", configmaps: "9" }, used: { pods: "7" } };
    const { status, unknown } = usage(quota({ pods: "9", configmaps: "9" }, before), kind("pods", [], false), kind("configmaps", [{}]));
    expect([status.used, unknown]).toEqual([{ configmaps: "1", pods: "7" }, ["pods"]]);
  });

  it("keeps what others count, and drops what is no longer limited", () => {
    const before = { hard: { "example.com/x": "1", pods: "1" }, used: { "example.com/x": "1", pods: "1" } };
    expect(usage(quota({ "example.com/x": "1" }, before), kind("pods", [])).status.used).toEqual({ "example.com/x": "1" });
  });
});
