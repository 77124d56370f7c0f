import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { applyRank } from "./apply-order.ts";

describe("applyRank", () => {
  it("orders dependencies first and webhooks last", () => {
    const order = [
      ["", "Namespace"],
      ["apiextensions.k8s.io", "CustomResourceDefinition"],
      ["scheduling.k8s.io", "PriorityClass"],
      ["", "ServiceAccount"],
      ["", "Secret"],
      ["rbac.authorization.k8s.io", "Role"],
      ["rbac.authorization.k8s.io", "RoleBinding"],
      ["", "Service"],
      ["", "PersistentVolumeClaim"],
      ["apps", "Deployment"],
      ["networking.k8s.io", "Ingress"],
      ["example.com", "Thing"],
      ["admissionregistration.k8s.io", "ValidatingWebhookConfiguration"],
    ] as const;
    const ranks = order.map(([group, kind]) => applyRank({ group, kind }));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it("uses group and kind: a Service of another group is a custom resource", () => {
    expect(applyRank({ group: "serving.knative.dev", kind: "Service" })).toBe(applyRank({ group: "example.com", kind: "Thing" }));
  });

  it("lists only kinds that exist", () => {
    const custom = applyRank({ group: "example.com", kind: "Thing" });
    const ranked = kinds.filter((kind) => applyRank(kind) !== custom);
    expect(new Set(ranked.map(({ group, kind }) => `${group}/${kind}`)).size).toBeGreaterThan(35);
  });
});
