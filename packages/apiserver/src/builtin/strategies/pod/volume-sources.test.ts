import type { Volume } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateCsiDriverName, volumeSources } from "./volume-sources.ts";

const wrong = (volume: Omit<Volume, "name">, isPod = true): string[] =>
  volumeSources
    .filter(({ field }) => volume[field] !== undefined)
    .flatMap(({ validate }) => texts(validate({ name: "v", ...volume }, "v", { isPod })));

describe("volumeSources", () => {
  it("has one rule per source", () => {
    expect(new Set(volumeSources.map(({ field }) => field)).size).toBe(volumeSources.length);
    expect(volumeSources[0]?.field).toBe("hostPath");
  });

  it("requires an absolute path of hostPath", () => {
    expect(wrong({ hostPath: { path: "" } })).toEqual(["v.hostPath.path: Required value"]);
    expect(wrong({ hostPath: { path: "/a/../b", type: "Folder" as "Directory" } })).toEqual([
      "v.hostPath.path: Invalid value: \"/a/../b\": must not contain '..'",
      'v.hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ]);
  });

  it("requires the name of a Secret or ConfigMap", () => {
    expect(wrong({ secret: {} })).toEqual(["v.secret.secretName: Required value"]);
    expect(wrong({ configMap: { items: [{ key: "", path: "/a" }] } })).toEqual([
      "v.configMap.name: Required value",
      "v.configMap.items[0].key: Required value",
      'v.configMap.items[0].path: Invalid value: "/a": must be a relative path',
    ]);
  });

  it("requires an image reference in pods, but not in templates", () => {
    expect(wrong({ image: { pullPolicy: "Always" } })).toEqual(["v.image.reference: Required value"]);
    expect(wrong({ image: { pullPolicy: "Always" } }, false)).toEqual([]);
  });

  it("requires the fields of network volumes", () => {
    expect(wrong({ nfs: { server: "", path: "a" }, persistentVolumeClaim: { claimName: "" }, ephemeral: {} })).toEqual([
      "v.nfs.server: Required value",
      'v.nfs.path: Invalid value: "a": must be an absolute path',
      "v.persistentVolumeClaim.claimName: Required value",
      "v.ephemeral.volumeClaimTemplate: Required value",
    ]);
  });
});

describe("validateCsiDriverName", () => {
  it("requires a DNS name of at most 63 characters", () => {
    expect(validateCsiDriverName("CSI.example.com", "d")).toEqual([]);
    expect(texts(validateCsiDriverName("", "d"))).toEqual(["d: Required value"]);
    expect(texts(validateCsiDriverName("a".repeat(64), "d"))).toEqual(["d: Too long: may not be more than 63 bytes"]);
  });
});
