import { describe, expect, it } from "vitest";
import { placementWarnings } from "./placement-warnings.ts";

describe("placementWarnings", () => {
  it("warns about deprecated node labels in all constraints", () => {
    const matchExpressions = [{ key: "beta.kubernetes.io/arch", operator: "Exists" as const }];
    expect(
      placementWarnings(
        {
          containers: [],
          nodeSelector: { "node-role.kubernetes.io/master": "" },
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
        },
        "s",
      ),
    ).toEqual([
      's.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      's.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
    ]);
  });

  it("warns about a topology spread with an empty selector", () => {
    expect(
      placementWarnings(
        { containers: [], topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" }] },
        "s",
      ),
    ).toEqual(["s.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"]);
  });
});
