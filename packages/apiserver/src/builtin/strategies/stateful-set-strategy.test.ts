import { StatefulSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { statefulSetStrategy } from "./stateful-set-strategy.ts";
import { sampleContext, sampleTemplate, sampleWorkload, texts } from "../../testing/workload-sample.ts";

const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
const set = (spec: Parameters<typeof sampleWorkload>[1] = {}): StatefulSet =>
  sampleWorkload(StatefulSet, { volumeClaimTemplates: [claim], ...spec });
const wrong = (spec: Parameters<typeof sampleWorkload>[1]): string[] => texts(statefulSetStrategy.validate?.(set(spec)));

describe("StatefulSet strategy", () => {
  it("adds a volume for each claim template", () => {
    expect(
      wrong({ template: sampleTemplate({ containers: [{ name: "c", image: "a", volumeMounts: [{ name: "data", mountPath: "/d" }] }] }) }),
    ).toEqual([]);
  });

  it("ignores the host name of the template", () => {
    expect(wrong({ template: sampleTemplate({ hostname: "A_b", subdomain: "A_b" }) })).toEqual([]);
  });

  it("refuses unknown policies", () => {
    expect(wrong({ podManagementPolicy: "x", updateStrategy: { type: "y" } })).toEqual([
      "spec.podManagementPolicy: Invalid value: \"x\": must be 'OrderedReady' or 'Parallel'",
      'spec.updateStrategy: Invalid value: {"Type":"y","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
    ]);
    expect(wrong({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "x", whenScaled: "Retain" } })).toEqual([
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "x": supported values: "Retain", "Delete"',
    ]);
  });

  it("allows changes of some spec fields only", () => {
    expect(statefulSetStrategy.validateUpdate?.(set({ replicas: 5, ordinals: { start: 1 } }), set())).toEqual([]);
    expect(texts(statefulSetStrategy.validateUpdate?.(set({ serviceName: "other" }), set()))).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });

  it("drops maxUnavailable, which is feature gated", () => {
    const made = set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } } });
    statefulSetStrategy.prepareForCreate?.(made, sampleContext);
    expect(made.spec?.updateStrategy).toEqual({ type: "RollingUpdate", rollingUpdate: { partition: 0 } });
  });

  it("warns about a negative revisionHistoryLimit", () => {
    expect(statefulSetStrategy.warningsOnCreate?.(set({ revisionHistoryLimit: -1 }))).toEqual([
      "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
    ]);
  });
});
