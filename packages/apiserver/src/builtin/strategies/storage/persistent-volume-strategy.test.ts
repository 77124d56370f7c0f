import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PersistentVolume, PersistentVolumeSpec } from "@drover/api/core/v1";
import { persistentVolumeStrategy } from "./persistent-volume-strategy.ts";

const context = { now: 1_000, user: { name: "u", groups: ["g"] }, dryRun: false };
const good: PersistentVolumeSpec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp" } };
const texts = (spec: PersistentVolumeSpec): string[] =>
  (persistentVolumeStrategy.validate?.({ metadata: { name: "a" }, spec }) ?? []).map(printFieldError);
const volume = (spec: PersistentVolumeSpec): PersistentVolume => ({
  metadata: { name: "a" },
  spec,
  status: { phase: "Pending", lastPhaseTransitionTime: "2024-01-02T03:04:05Z" },
});

describe("PersistentVolume strategy", () => {
  it("requires exactly one source", () => {
    expect(texts(good)).toEqual([]);
    const { hostPath: _, ...none } = good;
    expect(texts(none)).toEqual(["spec: Required value: must specify a volume type"]);
    expect(texts({ ...good, nfs: { server: "s", path: "/p" } })).toEqual(["spec.nfs: Forbidden: may not specify more than 1 volume type"]);
  });

  it("requires a capacity of storage only", () => {
    expect(texts({ ...good, capacity: { cpu: "1" } })).toEqual([
      'spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"',
    ]);
    expect(texts({ ...good, capacity: { storage: "0" } })).toEqual([
      'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
    ]);
  });

  it("requires node affinity for local volumes", () => {
    const { hostPath: _, ...none } = good;
    expect(texts({ ...none, local: { path: "/a" } })).toEqual(["spec.nodeAffinity: Required value: Local volume requires node affinity"]);
    expect(texts({ ...none, csi: { driver: "d", volumeHandle: "h", nodePublishSecretRef: { name: "s" } } })).toEqual([
      "spec.csi.nodePublishSecretRef.namespace: Required value",
    ]);
  });

  it("keeps the source immutable, except for a secret set later", () => {
    const update = (now: PersistentVolumeSpec, before: PersistentVolumeSpec): string[] =>
      (persistentVolumeStrategy.validateUpdate?.(volume(now), volume(before)) ?? []).map(printFieldError);
    const { hostPath: _, ...none } = good;
    const csi = { driver: "d", volumeHandle: "h" };
    expect(update({ ...none, csi: { ...csi, controllerExpandSecretRef: { name: "s", namespace: "n" } } }, { ...none, csi })).toEqual([]);
    expect(update({ ...good, hostPath: { path: "/other" } }, good)).toEqual([
      expect.stringContaining("spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation"),
    ]);
    expect(update({ ...good, volumeMode: "Block" }, { ...good, volumeMode: "Filesystem" })).toEqual([
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });

  it("sets lastPhaseTransitionTime", () => {
    const created: PersistentVolume = { metadata: { name: "a" }, spec: good };
    persistentVolumeStrategy.prepareForCreate?.(created, context);
    expect(created.status).toEqual({ phase: "Pending", lastPhaseTransitionTime: "1970-01-01T00:00:01Z" });
    const status = (phase: "Available" | "Pending"): string | undefined => {
      const changed: PersistentVolume = { ...volume(good), status: { phase } };
      persistentVolumeStrategy.subresources?.["status"]?.prepareForUpdate?.(changed, volume(good), context);
      return changed.status?.lastPhaseTransitionTime;
    };
    expect([status("Pending"), status("Available")]).toEqual(["2024-01-02T03:04:05Z", "1970-01-01T00:00:01Z"]);
  });

  it("warns about the Recycle policy", () => {
    expect(persistentVolumeStrategy.warningsOnCreate?.(volume({ ...good, persistentVolumeReclaimPolicy: "Recycle" }))).toHaveLength(1);
  });
});
