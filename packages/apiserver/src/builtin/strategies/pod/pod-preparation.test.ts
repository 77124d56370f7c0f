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

describe("a new pod", () => {
  it("waits to be run, in its class", () => {
    expect(prepared({}).status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
  });

  it("keeps the class it came with, and nothing else of its status", () => {
    const pod: ReturnType<typeof samplePod> = { ...samplePod({}), status: { qosClass: "Guaranteed", reason: "R" } };
    preparePod(pod, podSpecOf(pod), 0);
    expect(pod.status).toEqual({ phase: "Pending", qosClass: "Guaranteed" });
  });

  it("that is held back says so", () => {
    expect(prepared({ schedulingGates: [{ name: "a" }] }).status?.conditions?.[0]).toMatchObject({
      type: "PodScheduled",
      status: "False",
      reason: "SchedulingGated",
      message: "Scheduling is blocked due to non-empty scheduling gates",
    });
  });

  it("takes the values of its labels into its selectors", () => {
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

  it("takes a profile from an annotation, and is warned of it", () => {
    const pod = prepared({}, { annotations: { [`${appArmorPrefix}c`]: "localhost/p" } });
    expect(pod.spec?.containers[0]?.securityContext).toEqual({ appArmorProfile: { type: "Localhost", localhostProfile: "p" } });
    expect(staleAppArmorAnnotations(pod, podSpecOf(pod))).toEqual(["c"]);
  });

  it("whose profile is that of the whole pod needs no other", () => {
    const pod = prepared(
      { securityContext: { appArmorProfile: { type: "Unconfined" } } },
      { annotations: { [`${appArmorPrefix}c`]: "unconfined" } },
    );
    expect(pod.spec?.containers[0]?.securityContext).toBeUndefined();
    expect(staleAppArmorAnnotations(pod, podSpecOf(pod))).toEqual([]);
  });
});
