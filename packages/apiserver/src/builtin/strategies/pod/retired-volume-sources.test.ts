import type { Volume } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { retiredVolumeSources } from "./retired-volume-sources.ts";

const wrong = (volume: Omit<Volume, "name">): string[] =>
  retiredVolumeSources
    .filter(({ field }) => volume[field] !== undefined)
    .flatMap(({ validate }) => texts(validate({ name: "v", ...volume }, "v", { isPod: true })));

describe("volume sources from before CSI", () => {
  it("require their fields", () => {
    expect(wrong({ rbd: { monitors: [], image: "" }, azureFile: { secretName: "", shareName: "s" } })).toEqual([
      "v.rbd.monitors: Required value",
      "v.rbd.image: Required value",
      "v.azureFile.secretName: Required value",
    ]);
  });

  it("have other names in some errors", () => {
    expect(wrong({ gcePersistentDisk: { pdName: "", partition: 300 } })).toEqual([
      "v.persistentDisk.pdName: Required value",
      "v.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive",
    ]);
  });

  it("validate names in their formats", () => {
    expect(wrong({ iscsi: { targetPortal: "p", iqn: "iqn.x", lun: 0, initiatorName: "y" } })).toEqual([
      'v.iscsi.iqn: Invalid value: "iqn.x": must be valid format',
      'v.iscsi.initiatorname: Invalid value: "y": must be valid format starting with iqn, eui, or naa',
    ]);
    expect(wrong({ iscsi: { targetPortal: "p", iqn: "iqn.2001-04.com.example:storage.disk1", lun: 0 } })).toEqual([]);
  });

  it("refuse conflicting fields", () => {
    expect(wrong({ fc: { targetWWNs: ["a"], wwids: ["b"] } })).toEqual([
      'v.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      "v.fc.lun: Required value: lun is required if targetWWNs is specified",
    ]);
  });

  it("refuse reserved option names", () => {
    expect(wrong({ flexVolume: { driver: "d", options: { "kubernetes.io/x": "y", ok: "z" } } })).toEqual([
      'v.flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
    ]);
  });
});
