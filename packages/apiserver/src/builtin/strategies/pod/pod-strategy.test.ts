import { deepFreeze } from "@drover/machinery";
import type { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { podStrategy } from "./pod-strategy.ts";
import { sampleContext, samplePod, texts } from "../../../testing/workload-sample.ts";

describe("Pod strategy", () => {
  it("prepares and validates a new pod", () => {
    const pod = samplePod();
    podStrategy.prepareForCreate?.(pod, sampleContext);
    expect(pod.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(podStrategy.validate?.(pod)).toEqual([]);
  });

  it("refuses new pods with ephemeral containers, and gated pods with a node", () => {
    expect(
      texts(
        podStrategy.validate?.(
          samplePod({ ephemeralContainers: [{ name: "e", image: "a" }], nodeName: "n", schedulingGates: [{ name: "a" }] }),
        ),
      ),
    ).toEqual([
      "spec.ephemeralContainers: Forbidden: cannot be set on create",
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
    ]);
  });

  it("warns about a name that is not a host name", () => {
    expect(podStrategy.warningsOnCreate?.(samplePod({}, { name: "a.b" }))).toEqual([
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
  });

  it("applies the grace period only to running pods", () => {
    const grace = (pod: Pod, asked?: number): number | undefined => podStrategy.gracePeriodSeconds?.(pod, asked);
    const running = samplePod({ nodeName: "n" });
    expect([
      grace(samplePod()),
      grace(running),
      grace(running, 5),
      grace(running, 0),
      grace(running, -1),
      grace({ ...running, status: { phase: "Failed" } }, 5),
    ]).toEqual([0, 30, 5, 0, 1, 0]);
  });

  it("changes only ephemeral containers at ephemeralcontainers", () => {
    const old = deepFreeze({ ...samplePod({}, { labels: { a: "b" } }), status: { phase: "Running" as const } }) as Pod;
    const pod = {
      ...samplePod({ hostPID: true, ephemeralContainers: [{ name: "e", image: "a" }] }, { labels: { a: "c" }, finalizers: ["x.io/y"] }),
      status: {},
    };
    podStrategy.subresources?.["ephemeralcontainers"]?.prepareForUpdate?.(pod, old, sampleContext);
    expect(pod).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { ephemeralContainers: [{ name: "e" }] },
      status: { phase: "Running" },
    });
    expect([pod.spec?.hostPID, pod.metadata.finalizers]).toEqual([undefined, undefined]);
  });

  it("changes only resources at resize", () => {
    const old = deepFreeze(samplePod()) as Pod;
    const pod = samplePod({ containers: [{ name: "c", image: "other", resources: { limits: { cpu: "1" } } }] });
    podStrategy.subresources?.["resize"]?.prepareForUpdate?.(pod, old, sampleContext);
    expect(pod.spec?.containers[0]).toMatchObject({ image: "nginx:1", resources: { limits: { cpu: "1" } } });
  });
});
