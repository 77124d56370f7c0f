import { describe, expect, it } from "vitest";
import { sampleVolume, samplePod, texts } from "../../../testing/workload-sample.ts";
import { podSpecOf, validatePod } from "./pod-spec.ts";

const wrong = (spec: Parameters<typeof samplePod>[0]): string[] => texts(validatePod(samplePod(spec)));

describe("validatePodSpec", () => {
  it("accepts a pod with one container", () => {
    expect(wrong({})).toEqual([]);
  });

  it("refuses unknown policies", () => {
    expect(wrong({ restartPolicy: "x", dnsPolicy: "y" })).toEqual([
      'spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "y": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ]);
  });

  it("requires a positive activeDeadlineSeconds", () => {
    expect(wrong({ activeDeadlineSeconds: 0 })).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
    ]);
  });

  it("refuses duplicate scheduling gates", () => {
    expect(wrong({ schedulingGates: [{ name: "a" }, { name: "a" }] })).toEqual(['spec.schedulingGates[1]: Duplicate value: "a"']);
  });

  it("requires exactly one source of a resource claim", () => {
    expect(wrong({ resourceClaims: [{ name: "a" }] })).toEqual([
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ]);
  });

  it("requires a service account for a projected token", () => {
    const pod = sampleVolume({ projected: { sources: [{ serviceAccountToken: { path: "t" } }] } });
    expect(texts(validatePod(pod))).toEqual([
      "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
    ]);
  });

  it("refuses an unknown operating system", () => {
    expect(wrong({ os: { name: "plan9" } })).toEqual(['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']);
  });

  it("podSpecOf replaces null containers with an empty list", () => {
    expect(podSpecOf({ spec: { containers: null as never } })).toEqual({ containers: [] });
    expect(podSpecOf({})).toEqual({ containers: [] });
  });
});
