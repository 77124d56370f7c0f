import { describe, expect, it } from "vitest";
import { samplePod } from "../../../testing/workload-sample.ts";
import { appArmorPrefix } from "./pod-annotations.ts";
import { preparePod, staleAppArmorAnnotations } from "./pod-preparation.ts";
import { podSpecOf } from "./pod-spec.ts";

const prepared = (spec: Parameters<typeof samplePod>[0], metadata: Parameters<typeof samplePod>[1] = {}): ReturnType<typeof samplePod> => {
  const pod = samplePod(spec, metadata);
  preparePod(pod, podSpecOf(pod), 0);
  return pod;
};

describe("preparePod", () => {
  it("sets the phase Pending and the QoS class", () => {
    expect(prepared({}).status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
  });

  it("keeps a given QoS class and resets the rest of the status", () => {
    const pod: ReturnType<typeof samplePod> = { ...samplePod({}), status: { qosClass: "Guaranteed", reason: "R" } };
    preparePod(pod, podSpecOf(pod), 0);
    expect(pod.status).toEqual({ phase: "Pending", qosClass: "Guaranteed" });
  });

  it("sets the condition SchedulingGated", () => {
    expect(prepared({ schedulingGates: [{ name: "a" }] }).status?.conditions?.[0]).toMatchObject({
      type: "PodScheduled",
      status: "False",
      reason: "SchedulingGated",
      message: "Scheduling is blocked due to non-empty scheduling gates",
    });
  });

  it("merges matchLabelKeys into selectors", () => {
    const pod = prepared(
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", labelSelector: {}, matchLabelKeys: ["app", "none"] },
        ],
      },
      { labels: { app: "web" } },
    );
    expect(pod.spec?.topologySpreadConstraints?.[0]?.labelSelector).toEqual({
      matchExpressions: [{ key: "app", operator: "In", values: ["web"] }],
    });
  });

  it("copies the AppArmor annotation to the field, and warns", () => {
    const pod = prepared({}, { annotations: { [`${appArmorPrefix}c`]: "localhost/p" } });
    expect(pod.spec?.containers[0]?.securityContext).toEqual({ appArmorProfile: { type: "Localhost", localhostProfile: "p" } });
    expect(staleAppArmorAnnotations(pod, podSpecOf(pod))).toEqual(["c"]);
  });

  it("does not copy an AppArmor annotation equal to the pod's profile", () => {
    const pod = prepared(
      { securityContext: { appArmorProfile: { type: "Unconfined" } } },
      { annotations: { [`${appArmorPrefix}c`]: "unconfined" } },
    );
    expect(pod.spec?.containers[0]?.securityContext).toBeUndefined();
    expect(staleAppArmorAnnotations(pod, podSpecOf(pod))).toEqual([]);
  });
});
