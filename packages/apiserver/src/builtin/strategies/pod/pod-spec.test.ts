import { describe, expect, it } from "vitest";
import { sampleVolume, samplePod, texts } from "../../../testing/workload-sample.ts";
import { podSpecOf, validatePod } from "./pod-spec.ts";

const wrong = (spec: Parameters<typeof samplePod>[0]): string[] => texts(validatePod(samplePod(spec)));

describe("a pod", () => {
  it("is fine with a container", () => {
    expect(wrong({})).toEqual([]);
  });

  it("has policies that are known", () => {
    expect(wrong({ restartPolicy: "x", dnsPolicy: "y" })).toEqual([
      'spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "y": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ]);
  });

  it("has a deadline that can be met", () => {
    expect(wrong({ activeDeadlineSeconds: 0 })).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
    ]);
  });

  it("has gates that differ", () => {
    expect(wrong({ schedulingGates: [{ name: "a" }, { name: "a" }] })).toEqual(['spec.schedulingGates[1]: Duplicate value: "a"']);
  });

  it("claims devices one way or the other", () => {
    expect(wrong({ resourceClaims: [{ name: "a" }] })).toEqual([
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ]);
  });

  it("mounts a token only of an account it has", () => {
    const pod = sampleVolume({ projected: { sources: [{ serviceAccountToken: { path: "t" } }] } });
    expect(texts(validatePod(pod))).toEqual([
      "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
    ]);
  });

  it("runs on a system that is known", () => {
    expect(wrong({ os: { name: "plan9" } })).toEqual(['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']);
  });

  it("without containers has none rather than null", () => {
    expect(podSpecOf({ spec: { containers: null as never } })).toEqual({ containers: [] });
    expect(podSpecOf({})).toEqual({ containers: [] });
  });
});
