import type { StatefulSet, StatefulSetSpec } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { setStatefulSetDefaults } from "./stateful-set-defaults.ts";

const made = (spec: Partial<StatefulSetSpec>): StatefulSetSpec | undefined => {
  const statefulSet: StatefulSet = { metadata: {}, spec: { selector: {}, template: {}, ...spec } };
  setStatefulSetDefaults(statefulSet);
  return statefulSet.spec;
};

describe("defaults of StatefulSet", () => {
  it("set OrderedReady, RollingUpdate of all pods and Retain", () => {
    expect(made({})).toMatchObject({
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      replicas: 1,
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      template: { spec: { restartPolicy: "Always" } },
    });
  });

  it("set the rolling update partition only without an explicit strategy", () => {
    expect(made({ updateStrategy: { type: "RollingUpdate" } })?.updateStrategy).toEqual({ type: "RollingUpdate" });
    expect(made({ updateStrategy: { type: "OnDelete" } })?.updateStrategy).toEqual({ type: "OnDelete" });
    expect(made({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })?.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 2, partition: 0 },
    });
  });

  it("complete a partial claim retention policy", () => {
    expect(made({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } })?.persistentVolumeClaimRetentionPolicy).toEqual({
      whenDeleted: "Delete",
      whenScaled: "Retain",
    });
  });

  it("set kind and apiVersion of claim templates", () => {
    expect(made({ volumeClaimTemplates: [{ metadata: { name: "data" } }] })?.volumeClaimTemplates).toEqual([
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data" },
        spec: { volumeMode: "Filesystem" },
        status: { phase: "Pending" },
      },
    ]);
  });
});
