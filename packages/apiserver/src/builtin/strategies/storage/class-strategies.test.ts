import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { csiStorageCapacityStrategy, storageClassStrategy, volumeAttributesClassStrategy } from "./class-strategies.ts";

const metadata = { name: "a" };
const good = { metadata, provisioner: "example.com/p", volumeBindingMode: "Immediate", reclaimPolicy: "Delete" } as const;

describe("StorageClass strategy", () => {
  it("requires a provisioner name, case-insensitively", () => {
    expect(storageClassStrategy.validate?.({ ...good, provisioner: "Example.com/P" })).toEqual([]);
    expect((storageClassStrategy.validate?.({ ...good, provisioner: "" }) ?? []).map(printFieldError)).toEqual([
      "provisioner: Required value",
    ]);
  });

  it("requires unique topologies", () => {
    const term = { matchLabelExpressions: [{ key: "a", values: ["b", "c"] }] };
    expect(
      (
        storageClassStrategy.validate?.({
          ...good,
          allowedTopologies: [term, { matchLabelExpressions: [{ key: "a", values: ["c", "b"] }] }],
        }) ?? []
      ).map(printFieldError),
    ).toEqual(['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""']);
  });

  it("keeps its fields immutable", () => {
    expect(
      (storageClassStrategy.validateUpdate?.({ ...good, reclaimPolicy: "Retain", parameters: { a: "b" } }, good) ?? []).map(
        printFieldError,
      ),
    ).toEqual(['parameters: Invalid value: {"a":"b"}: field is immutable', 'reclaimPolicy: Invalid value: "Retain": field is immutable']);
  });
});

describe("VolumeAttributesClass and CSIStorageCapacity strategies", () => {
  it("require driver or class, and keep them immutable", () => {
    expect((volumeAttributesClassStrategy.validate?.({ metadata, driverName: "d" }) ?? []).map(printFieldError)).toEqual([
      "parameters: Required value: must contain at least one key/value pair",
    ]);
    expect(
      (volumeAttributesClassStrategy.validateUpdate?.({ metadata, driverName: "e" }, { metadata, driverName: "d" }) ?? []).map(
        printFieldError,
      ),
    ).toEqual(["driverName: Forbidden: updates to driverName are forbidden."]);
    expect((csiStorageCapacityStrategy.validate?.({ metadata, storageClassName: "c", capacity: "-1" }) ?? []).map(printFieldError)).toEqual(
      ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
    );
    expect(
      csiStorageCapacityStrategy.validateUpdate?.({ metadata, storageClassName: "d" }, { metadata, storageClassName: "c" }),
    ).toHaveLength(1);
  });
});
