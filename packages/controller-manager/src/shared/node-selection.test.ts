import type { NodeSelectorRequirement, PodSpec } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { node } from "../testing/node-objects.ts";
import { preferenceFor, selectsNode } from "./node-selection.ts";

const here = node({ labels: { disk: "ssd", cores: "8" } });
const term = (...matchExpressions: NodeSelectorRequirement[]): Pick<PodSpec, "affinity"> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
});
const selects = (spec: Partial<PodSpec>): boolean => selectsNode({ spec: { containers: [], ...spec } }, here);

describe("a pod asks for nodes", () => {
  it("with every label of its selector", () => {
    expect([selects({}), selects({ nodeSelector: { disk: "ssd" } }), selects({ nodeSelector: { disk: "ssd", zone: "a" } })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["In", ["ssd", "hdd"], true, false],
    ["NotIn", ["ssd"], false, true],
    ["Exists", [], true, false],
    ["DoesNotExist", [], false, true],
  ] as const)("that meet %s %j, or do not have the label", (operator, values, withLabel, without) => {
    expect(selects(term({ key: "disk", operator, values: [...values] }))).toBe(withLabel);
    expect(selects(term({ key: "zone", operator, values: [...values] }))).toBe(without);
  });

  it("with more or less of something, if it is a whole number", () => {
    expect(selects(term({ key: "cores", operator: "Gt", values: ["7"] }))).toBe(true);
    expect(selects(term({ key: "cores", operator: "Gt", values: ["8"] }))).toBe(false);
    expect(selects(term({ key: "cores", operator: "Lt", values: ["9"] }))).toBe(true);
    expect(selects(term({ key: "disk", operator: "Lt", values: ["9"] }))).toBe(false);
  });

  it("by one of several terms, of which an empty one matches nothing, and by name", () => {
    const terms = (...nodeSelectorTerms: object[]): boolean =>
      selects({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } });
    expect(terms({})).toBe(false);
    expect(terms({}, { matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] })).toBe(true);
    expect(terms({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] })).toBe(false);
    expect(terms({ matchFields: [{ key: "spec.unschedulable", operator: "DoesNotExist" }] })).toBe(false);
  });

  it("and likes some more, by the weights of what they meet", () => {
    const preferred = [
      { weight: 3, preference: { matchExpressions: [{ key: "disk", operator: "Exists" as const }] } },
      { weight: 5, preference: { matchExpressions: [{ key: "zone", operator: "Exists" as const }] } },
    ];
    expect(
      preferenceFor(
        { spec: { containers: [], affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } } },
        here,
      ),
    ).toBe(3);
  });
});
