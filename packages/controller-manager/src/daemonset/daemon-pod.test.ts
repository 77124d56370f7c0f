import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { daemonTemplate, targetNodeName, templateForNode } from "./daemon-pod.ts";

const required = (node: string): object => ({
  nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] }],
});

describe("templateForNode", () => {
  it("adds the revision labels and keeps those of the template", () => {
    const { metadata, spec } = daemonTemplate(daemonSet({ annotations: { "deprecated.daemonset.template.generation": "2" } }), "abc");
    expect(metadata?.labels).toEqual({ app: "web", "controller-revision-hash": "abc", "pod-template-generation": "2" });
    expect(spec?.tolerations).toHaveLength(6);
    expect(daemonTemplate(daemonSet(), "").metadata?.labels).toEqual({ app: "web" });
  });

  it("requires its node and no other, whatever the template requires", () => {
    const zone = { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In" as const, values: ["a"] }] }] };
    const preferred = [{ weight: 1, preference: { matchExpressions: [{ key: "disk", operator: "Exists" as const }] } }];
    for (const [affinity, expected] of [
      [undefined, { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required("n1") } }],
      [{ podAntiAffinity: {} }, { podAntiAffinity: {}, nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required("n1") } }],
      [
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: zone,
            preferredDuringSchedulingIgnoredDuringExecution: preferred,
          },
        },
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: required("n1"),
            preferredDuringSchedulingIgnoredDuringExecution: preferred,
          },
        },
      ],
    ] as const)
      expect(templateForNode({ spec: { containers: [], ...definedOnly({ affinity }) } }, "n1").spec?.affinity).toEqual(expected);
  });

  it("lets targetNodeName find the node by binding or else by affinity", () => {
    expect(targetNodeName(daemonPod({ on: "n3" }))).toBe("n3");
    expect(targetNodeName(daemonPod({ on: "n3", isPlaced: false }))).toBe("n3");
  });

  it("lets targetNodeName find no node for several node names or none", () => {
    const asking = (term: object): string | undefined =>
      targetNodeName({
        metadata: {},
        spec: {
          containers: [],
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
        },
      });
    expect(asking({ matchFields: [{ key: "metadata.name", operator: "In", values: ["a", "b"] }] })).toBeUndefined();
    expect(asking({ matchFields: [{ key: "metadata.name", operator: "NotIn", values: ["a"] }] })).toBeUndefined();
    expect(asking({ matchExpressions: [{ key: "metadata.name", operator: "In", values: ["a"] }] })).toBeUndefined();
    expect(targetNodeName({ metadata: {} })).toBeUndefined();
  });
});
