import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateVolumeClaimSpec, validateVolumeClaimTemplate } from "./volume-claim-template.ts";

const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };

describe("validateVolumeClaimSpec", () => {
  it("requires access modes and storage", () => {
    expect(validateVolumeClaimSpec(spec, "s")).toEqual([]);
    expect(texts(validateVolumeClaimSpec({}, "s"))).toEqual([
      "s.accessModes: Required value: at least 1 access mode is required",
      "s.resources[storage]: Required value",
    ]);
    expect(texts(validateVolumeClaimSpec({ ...spec, resources: { requests: { storage: "0" } } }, "s"))).toEqual([
      's.resources[storage]: Invalid value: "0": must be greater than zero',
    ]);
  });

  it("refuses ReadWriteOncePod with other modes", () => {
    expect(texts(validateVolumeClaimSpec({ ...spec, accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] }, "s"))).toEqual([
      "s.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    ]);
  });

  it("validates dataSource and dataSourceRef", () => {
    expect(texts(validateVolumeClaimSpec({ ...spec, dataSource: { kind: "Pod", name: "p" } }, "s"))).toEqual([
      "s.dataSource: Invalid value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the default apiGroup",
    ]);
    expect(
      texts(
        validateVolumeClaimSpec(
          {
            ...spec,
            dataSource: { kind: "PersistentVolumeClaim", name: "a" },
            dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
          },
          "s",
        ),
      ),
    ).toEqual(["s: Invalid value: {}: must match dataSourceRef"]);
  });
});

describe("validateVolumeClaimTemplate", () => {
  it("allows labels and annotations only", () => {
    expect(validateVolumeClaimTemplate({ metadata: { labels: { a: "b" } }, spec }, "t")).toEqual([]);
    expect(texts(validateVolumeClaimTemplate({ metadata: { name: "x", uid: "u" }, spec }, "t"))).toEqual([
      "t.metadata.name: Forbidden: cannot be set",
      "t.metadata.uID: Forbidden: cannot be set",
    ]);
  });
});
