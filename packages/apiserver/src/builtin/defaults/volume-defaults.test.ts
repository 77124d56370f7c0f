import type { Volume } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setVolumeDefaults } from "./volume-defaults.ts";

const made = (source: Omit<Volume, "name">): Omit<Volume, "name"> => {
  const { name: _name, ...volume } = ((object: Volume) => {
    setVolumeDefaults(object);
    return object;
  })({ name: "v", ...source });
  return volume;
};

describe("defaults of volumes", () => {
  it("set emptyDir for a volume without a source", () => {
    expect(made({})).toEqual({ emptyDir: {} });
    expect(made({ nfs: { path: "/", server: "s" } })).toEqual({ nfs: { path: "/", server: "s" } });
  });

  it("set the file mode 0644", () => {
    expect(made({ secret: {} })).toEqual({ secret: { defaultMode: 420 } });
    expect(made({ configMap: { defaultMode: 0 } })).toEqual({ configMap: { defaultMode: 0 } });
    expect(made({ downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "f" } }] } })).toEqual({
      downwardAPI: { defaultMode: 420, items: [{ path: "p", fieldRef: { fieldPath: "f", apiVersion: "v1" } }] },
    });
  });

  it("set an expiration of one hour for projected tokens", () => {
    expect(
      made({
        projected: {
          sources: [{ serviceAccountToken: { path: "t" } }, { downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "f" } }] } }],
        },
      }),
    ).toEqual({
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { path: "t", expirationSeconds: 3600 } },
          { downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "f", apiVersion: "v1" } }] } },
        ],
      },
    });
  });

  it("set the pull policy of image volumes", () => {
    expect(made({ image: { reference: "a:1" } })).toEqual({ image: { reference: "a:1", pullPolicy: "IfNotPresent" } });
    expect(made({ image: { reference: "a" } })).toEqual({ image: { reference: "a", pullPolicy: "Always" } });
  });

  it("set volumeMode Filesystem of ephemeral claims", () => {
    expect(made({ ephemeral: { volumeClaimTemplate: { spec: {} } } })).toEqual({
      ephemeral: { volumeClaimTemplate: { spec: { volumeMode: "Filesystem" } } },
    });
  });

  it("cover the sources from before CSI", () => {
    expect(made({ hostPath: { path: "/" } })).toEqual({ hostPath: { path: "/", type: "" } });
    expect(made({ rbd: { image: "i", monitors: [] } })).toEqual({
      rbd: { image: "i", monitors: [], pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
    });
    expect(made({ iscsi: { iqn: "i", lun: 0, targetPortal: "p" } })).toEqual({
      iscsi: { iqn: "i", lun: 0, targetPortal: "p", iscsiInterface: "default" },
    });
    expect(made({ azureDisk: { diskName: "d", diskURI: "u" } })).toEqual({
      azureDisk: { diskName: "d", diskURI: "u", cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
    });
    expect(made({ scaleIO: { gateway: "g", secretRef: {}, system: "s" } })).toEqual({
      scaleIO: { gateway: "g", secretRef: {}, system: "s", storageMode: "ThinProvisioned", fsType: "xfs" },
    });
  });
});
