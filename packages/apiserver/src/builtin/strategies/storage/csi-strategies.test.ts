import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { csiDriverStrategy, csiNodeStrategy, volumeAttachmentStrategy } from "./csi-strategies.ts";

const metadata = { name: "a" };
const driver = { attachRequired: true, podInfoOnMount: false, storageCapacity: false, seLinuxMount: false };
const attachment = { metadata, spec: { attacher: "d", nodeName: "n", source: { persistentVolumeName: "p" } } };

describe("CSIDriver strategy", () => {
  it("keeps attachRequired and other fields immutable", () => {
    expect(csiDriverStrategy.validate?.({ metadata, spec: driver })).toEqual([]);
    expect(
      (csiDriverStrategy.validateUpdate?.({ metadata, spec: { ...driver, attachRequired: false } }, { metadata, spec: driver }) ?? []).map(
        printFieldError,
      ),
    ).toEqual(["spec.attachedRequired: Invalid value: false: field is immutable"]);
  });

  it("validates token requests", () => {
    expect(
      (
        csiDriverStrategy.validate?.({
          metadata,
          spec: { ...driver, tokenRequests: [{ audience: "a", expirationSeconds: 1 }, { audience: "a" }] },
        }) ?? []
      ).map(printFieldError),
    ).toEqual([
      "spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes",
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ]);
  });
});

describe("CSINode strategy", () => {
  it("requires unique drivers with immutable node ids", () => {
    const one = { name: "d", nodeID: "i" };
    expect((csiNodeStrategy.validate?.({ metadata, spec: { drivers: [one, one] } }) ?? []).map(printFieldError)).toEqual([
      'spec.drivers[1].name: Duplicate value: "d"',
    ]);
    expect(
      csiNodeStrategy.validateUpdate?.(
        { metadata, spec: { drivers: [{ ...one, allocatable: { count: 1 } }] } },
        { metadata, spec: { drivers: [one] } },
      ),
    ).toEqual([]);
    expect(
      (
        csiNodeStrategy.validateUpdate?.(
          { metadata, spec: { drivers: [{ ...one, nodeID: "j" }] } },
          { metadata, spec: { drivers: [one] } },
        ) ?? []
      ).map(printFieldError),
    ).toEqual(['spec.drivers: Invalid value: {"Name":"d","NodeID":"j","TopologyKeys":null,"Allocatable":null}: field is immutable']);
  });
});

describe("VolumeAttachment strategy", () => {
  it("requires one source and a node, both immutable", () => {
    expect(volumeAttachmentStrategy.validate?.(attachment)).toEqual([]);
    expect(
      (volumeAttachmentStrategy.validate?.({ metadata, spec: { ...attachment.spec, source: {} } }) ?? []).map(printFieldError),
    ).toEqual(["spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName"]);
    expect(
      (volumeAttachmentStrategy.validateUpdate?.({ metadata, spec: { ...attachment.spec, nodeName: "m" } }, attachment) ?? []).map(
        printFieldError,
      ),
    ).toEqual([
      'spec: Invalid value: {"Attacher":"d","Source":{"PersistentVolumeName":"p","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
    ]);
  });
});
