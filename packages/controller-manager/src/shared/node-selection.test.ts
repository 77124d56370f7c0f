import type { NodeSelectorRequirement, PodSpec } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { node } from "../testing/node-objects.ts";
import { preferenceFor, selectsNode } from "./node-selection.ts";

const here = node({ labels: { disk: "ssd", cores: "8" } });
const term = (...matchExpressions: NodeSelectorRequirement[]): Pick<PodSpec, "affinity"> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
});
const selects = (spec: Partial<PodSpec>): boolean => selectsNode({ spec: { containers: [], ...spec } }, here);

describe("selectsNode", () => {
  it("requires every label of the node selector", () => {
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
  ] as const)("matches %s %j, or a missing label", (operator, values, withLabel, without) => {
    expect(selects(term({ key: "disk", operator, values: [...values] }))).toBe(withLabel);
    expect(selects(term({ key: "zone", operator, values: [...values] }))).toBe(without);
  });

  it("compares Gt and Lt by whole numbers", () => {
    expect(selects(term({ key: "cores", operator: "Gt", values: ["7"] }))).toBe(true);
    expect(selects(term({ key: "cores", operator: "Gt", values: ["8"] }))).toBe(false);
    expect(selects(term({ key: "cores", operator: "Lt", values: ["9"] }))).toBe(true);
    expect(selects(term({ key: "disk", operator: "Lt", values: ["9"] }))).toBe(false);
  });

  it("matches one of several terms or the name; an empty term matches nothing", () => {
    const terms = (...nodeSelectorTerms: object[]): boolean =>
      selects({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } });
    expect(terms({})).toBe(false);
    expect(terms({}, { matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] })).toBe(true);
    expect(terms({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] })).toBe(false);
    expect(terms({ matchFields: [{ key: "spec.unschedulable", operator: "DoesNotExist" }] })).toBe(false);
  });

  it("lets preferenceFor add up the weights of matching preferences", () => {
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
