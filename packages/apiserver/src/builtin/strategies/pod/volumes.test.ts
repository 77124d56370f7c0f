import { describe, expect, it } from "vitest";
import { samplePod, sampleVolume, texts } from "../../../testing/workload-sample.ts";
import { validateVolumes } from "./volumes.ts";

const rules = { isPod: true, podName: "web" };
const wrong = (volumes: readonly object[]): string[] =>
  texts(validateVolumes(samplePod({ volumes: volumes.map((volume) => ({ ...volume })) }).spec?.volumes, "spec.volumes", rules).errors);

describe("validateVolumes", () => {
  it("requires exactly one source", () => {
    expect(wrong([{ name: "v", emptyDir: {} }])).toEqual([]);
    expect(wrong([{ name: "v", emptyDir: {}, hostPath: { path: "/a" }, nfs: { server: "s", path: "/" } }])).toEqual([
      "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
      "spec.volumes[0].nfs: Forbidden: may not specify more than 1 volume type",
    ]);
  });

  it("requires unique DNS label names", () => {
    expect(
      wrong([
        { name: "v", emptyDir: {} },
        { name: "v", emptyDir: {} },
      ]),
    ).toEqual(['spec.volumes[1].name: Duplicate value: "v"']);
    expect(wrong([{ name: "", emptyDir: {} }])).toEqual(["spec.volumes[0].name: Required value"]);
  });

  it("returns the valid volumes as mountable", () => {
    const { mountable } = validateVolumes(
      [
        { name: "good", emptyDir: {} },
        { name: "bad", hostPath: { path: "" } },
      ],
      "v",
      rules,
    );
    expect([...mountable.keys()]).toEqual(["good"]);
  });

  it("refuses a claim with the name of an ephemeral volume's claim", () => {
    const ephemeral = { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } } };
    expect(
      wrong([
        { name: "a", ephemeral },
        { name: "b", persistentVolumeClaim: { claimName: "web-a" } },
      ]),
    ).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-a": must not reference a PVC that gets created for an ephemeral volume',
    ]);
  });

  it("reports a volume without a source", () => {
    // The codec turns a volume without a source into an emptyDir, as kube-apiserver does.
    expect(sampleVolume({}).spec?.volumes).toEqual([{ name: "v", emptyDir: {} }]);
    expect(texts(validateVolumes([{ name: "v" }], "v", rules).errors)).toEqual(["v[0]: Required value: must specify a volume type"]);
  });
});
