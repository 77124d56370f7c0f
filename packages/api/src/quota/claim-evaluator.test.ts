import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaim } from "../core/v1.ts";
import { printAmounts } from "./amounts.ts";
import { attributesClasses, claimEvaluator } from "./claim-evaluator.ts";

const claim = (storage: string, more: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  metadata: {},
  ...more,
  spec: { resources: { requests: { storage } }, ...more.spec },
});
const storage = (one: PersistentVolumeClaim): string | undefined => claimEvaluator.usage(one).get("requests.storage")?.toString();

describe("claimEvaluator", () => {
  it("counts claims and storage, also by class", () => {
    expect(printAmounts(claimEvaluator.usage(claim("1Gi", { spec: { storageClassName: "gold" } })))).toBe(
      "count/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/requests.storage=1Gi,persistentvolumeclaims=1,requests.storage=1Gi",
    );
    const annotations = { "volume.beta.kubernetes.io/storage-class": "old" };
    expect(
      claimEvaluator
        .usage(claim("1", { metadata: { annotations }, spec: { storageClassName: "gold" } }))
        .has("old.storageclass.storage.k8s.io/requests.storage"),
    ).toBe(true);
  });

  it("counts whole bytes, and allocated storage while it is more than what is requested", () => {
    expect([storage(claim("1500m")), storage(claim("1.5Gi"))]).toEqual(["2", "1536Mi"]);
    const allocated = (amount: string): Partial<PersistentVolumeClaim> => ({ status: { allocatedResources: { storage: amount } } });
    expect([storage(claim("1Gi", allocated("3Gi"))), storage(claim("1Gi", allocated("500Mi")))]).toEqual(["3Gi", "1Gi"]);
  });

  it("knows the names that count claims", () => {
    const names = [
      "persistentvolumeclaims",
      "count/persistentvolumeclaims",
      "requests.storage",
      "a.storageclass.storage.k8s.io/requests.storage",
    ];
    expect(claimEvaluator.matchingNames([...names, "pods", "a.storageclass.storage.k8s.io/other"])).toEqual(names);
  });

  it("knows the scope of volume attributes classes, current and to come", () => {
    const moving = claim("1", {
      spec: { volumeAttributesClassName: "fast" },
      status: {
        currentVolumeAttributesClassName: "slow",
        modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: "fast" },
      },
    });
    expect(attributesClasses(moving)).toEqual(["fast", "slow"]);
    const isIn = (one: PersistentVolumeClaim, operator: "In" | "NotIn" | "Exists" | "DoesNotExist", values?: string[]): boolean =>
      claimEvaluator.matchesScope({ scopeName: "VolumeAttributesClass", operator, ...(values === undefined ? {} : { values }) }, one);
    expect([isIn(moving, "In", ["slow"]), isIn(moving, "NotIn", ["slow"]), isIn(moving, "Exists")]).toEqual([true, true, true]);
    expect([isIn(claim("1"), "In", ["slow"]), isIn(claim("1"), "NotIn", ["slow"]), isIn(claim("1"), "DoesNotExist")]).toEqual([
      false,
      true,
      true,
    ]);
    expect(claimEvaluator.matchesScope({ scopeName: "BestEffort", operator: "Exists" }, claim("1"))).toBe(false);
  });
});
