import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@drover/api/core/v1";
import { persistentVolumeClaimStrategy } from "./persistent-volume-claim-strategy.ts";

const context = { now: 1_000, user: { name: "u", groups: ["g"] }, dryRun: false };
const spec: PersistentVolumeClaimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "2Gi" } },
  volumeMode: "Filesystem",
};
const claim = (change: PersistentVolumeClaimSpec = {}, phase: "Bound" | "Pending" = "Pending"): PersistentVolumeClaim => ({
  metadata: { name: "a" },
  spec: { ...spec, ...change },
  status: { phase, capacity: { storage: "1Gi" } },
});
const update = (now: PersistentVolumeClaim, before: PersistentVolumeClaim): string[] =>
  (persistentVolumeClaimStrategy.validateUpdate?.(now, before) ?? []).map(printFieldError);

describe("PersistentVolumeClaim strategy", () => {
  it("synchronizes dataSource and dataSourceRef", () => {
    const older = claim({ dataSource: { kind: "PersistentVolumeClaim", name: "b" } });
    persistentVolumeClaimStrategy.prepareForCreate?.(older, context);
    expect([older.spec?.dataSourceRef, older.status]).toEqual([{ kind: "PersistentVolumeClaim", name: "b" }, { phase: "Pending" }]);
    const newer = claim({ dataSourceRef: { apiGroup: "g", kind: "K", name: "b" } });
    persistentVolumeClaimStrategy.prepareForCreate?.(newer, context);
    expect(newer.spec?.dataSource).toEqual({ apiGroup: "g", kind: "K", name: "b" });
    const unknown = claim({ dataSource: { apiGroup: "g", kind: "K", name: "b" } });
    persistentVolumeClaimStrategy.prepareForCreate?.(unknown, context);
    expect(unknown.spec).toEqual(spec);
  });

  it("keeps the spec immutable, except volumeName and class set later", () => {
    expect([update(claim({ volumeName: "v" }), claim()), update(claim({ storageClassName: "c" }), claim())]).toEqual([[], []]);
    expect(update(claim({ accessModes: ["ReadOnlyMany"] }), claim())[0]).toContain(
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n",
    );
  });

  it("allows expansion of a bound claim only", () => {
    const sized = (storage: string): PersistentVolumeClaim => claim({ resources: { requests: { storage } } }, "Bound");
    expect([update(sized("3Gi"), claim({}, "Bound")), update(sized("1500Mi"), claim({}, "Bound"))]).toEqual([[], []]);
    expect(update(sized("1Gi"), claim({}, "Bound"))).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    ]);
    expect(update(claim({ resources: { requests: { storage: "3Gi" } } }), claim())).toHaveLength(1);
  });

  it("validates the status", () => {
    const bad: PersistentVolumeClaim = { ...claim(), status: { capacity: { storage: "-1" }, allocatedResources: { cpu: "1" } } };
    expect((persistentVolumeClaimStrategy.subresources?.["status"]?.validateUpdate?.(bad, claim()) ?? []).map(printFieldError)).toEqual([
      "status.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
    ]);
  });

  it("warns about fractional bytes", () => {
    expect(persistentVolumeClaimStrategy.warningsOnCreate?.(claim({ resources: { requests: { storage: "1m" } } }))).toEqual([
      'spec.resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer',
    ]);
  });
});
