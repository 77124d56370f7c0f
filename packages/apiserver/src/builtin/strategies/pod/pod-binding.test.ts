import { describe, expect, it } from "vitest";
import { samplePod } from "../../../testing/workload-sample.ts";
import { bindPod, refuseBinding } from "./pod-binding.ts";

const binding = { metadata: { annotations: { a: "b" }, labels: { c: "d" } }, target: { name: "node-1" } };

describe("bindPod", () => {
  it("sets the node and the condition PodScheduled", () => {
    const pod = { ...samplePod(), status: { nominatedNodeName: "node-2" } };
    bindPod(pod, binding, 0);
    expect(pod.spec?.nodeName).toBe("node-1");
    expect(pod.metadata).toMatchObject({ annotations: { a: "b" }, labels: { c: "d" } });
    expect(pod.status).toEqual({
      conditions: [{ type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "1970-01-01T00:00:00Z" }],
    });
  });

  it.each([
    [samplePod({ nodeName: "x" }), 'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "x"'],
    [
      samplePod({}, { deletionTimestamp: "2024-01-01T00:00:00Z" }),
      'Operation cannot be fulfilled on pods/binding "web": pod web is being deleted, cannot be assigned to a host',
    ],
    [
      samplePod({ schedulingGates: [{ name: "a" }] }),
      'Operation cannot be fulfilled on pods/binding "web": pod web has non-empty .spec.schedulingGates',
    ],
  ])("refuses a terminating, bound or gated pod", (pod, message) => {
    expect(() => bindPod(pod, binding, 0)).toThrow(message);
  });

  it("refuseBinding requires a node", () => {
    expect(() => refuseBinding({ metadata: {}, target: { kind: "Pod" } })).toThrow(
      '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    );
  });
});
