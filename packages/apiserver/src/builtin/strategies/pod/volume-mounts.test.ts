import type { Container } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";

const volumes = new Map([
  ["v", { name: "v", emptyDir: {} }],
  ["p", { name: "p", persistentVolumeClaim: { claimName: "p" } }],
]);
const mounts = (...volumeMounts: NonNullable<Container["volumeMounts"]>): string[] =>
  texts(validateVolumeMounts({ name: "c", volumeMounts }, volumes, "m"));

describe("validateVolumeMounts", () => {
  it("requires existing volumes and unique mount paths", () => {
    expect(mounts({ name: "v", mountPath: "/a" }, { name: "v", mountPath: "/b" })).toEqual([]);
    expect(mounts({ name: "x", mountPath: "/a" }, { name: "v", mountPath: "/a" })).toEqual([
      'm[0].name: Not found: "x"',
      'm[1].mountPath: Invalid value: "/a": must be unique',
    ]);
  });

  it("refuses subPaths that leave the volume", () => {
    expect(mounts({ name: "v", mountPath: "/a", subPath: "../x", subPathExpr: "y" })).toEqual([
      "m.subPath: Invalid value: \"../x\": must not contain '..'",
      'm[0].subPathExpr: Invalid value: "y": subPathExpr and subPath are mutually exclusive',
    ]);
  });

  it("allows Bidirectional propagation for privileged containers only", () => {
    expect(mounts({ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" })).toEqual([
      "m.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers",
    ]);
  });
});

describe("validateVolumeDevices", () => {
  it("requires claims", () => {
    expect(validateVolumeDevices({ name: "c", volumeDevices: [{ name: "p", devicePath: "/dev/x" }] }, volumes, "d")).toEqual([]);
    expect(texts(validateVolumeDevices({ name: "c", volumeDevices: [{ name: "v", devicePath: "" }] }, volumes, "d"))).toEqual([
      'd[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      "d[0].devicePath: Required value",
    ]);
  });
});
