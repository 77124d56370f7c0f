import type { PodSpec } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import type { DeepReadonly } from "@drover/machinery";
import { daemonSet } from "../testing/daemon-set-objects.ts";
import { node } from "../testing/node-objects.ts";
import type { NodeParts } from "../testing/node-objects.ts";
import { nodeJudge } from "./node-fit.ts";

const fit = (spec: DeepReadonly<Partial<PodSpec>>, parts: NodeParts = {}): string => {
  const { shouldRun, shouldContinue } = nodeJudge(daemonSet({ pod: spec }))(node(parts));
  return shouldRun ? (shouldContinue ? "runs" : "impossible") : shouldContinue ? "stays" : "leaves";
};
const affinity = (key: string, operator: "In" | "Exists", ...values: readonly string[]): DeepReadonly<Partial<PodSpec>> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }] }],
      },
    },
  },
});

describe("nodeJudge", () => {
  it("accepts a node regardless of its load and readiness", () => {
    expect(fit({})).toBe("runs");
    expect(fit({}, { ready: "Unknown" })).toBe("runs");
  });

  it("accepts the named node, selected labels and node affinity", () => {
    expect(fit({ nodeName: "n1" })).toBe("runs");
    expect(fit({ nodeName: "n2" })).toBe("leaves");
    expect(fit({ nodeSelector: { disk: "ssd" } }, { labels: { disk: "ssd" } })).toBe("runs");
    expect(fit({ nodeSelector: { disk: "ssd" } })).toBe("leaves");
    expect(fit({ nodeName: "n1", nodeSelector: { disk: "ssd" } })).toBe("leaves");
    expect(fit(affinity("disk", "In", "ssd"), { labels: { disk: "ssd" } })).toBe("runs");
    expect(fit(affinity("disk", "Exists"))).toBe("leaves");
  });

  it("keeps but does not start a pod under NoSchedule, and evicts it under NoExecute", () => {
    expect(fit({}, { taints: ["k:NoSchedule"] })).toBe("stays");
    expect(fit({}, { taints: ["k:NoExecute"] })).toBe("leaves");
    expect(fit({}, { taints: ["k:NoSchedule", "k:NoExecute"] })).toBe("leaves");
    expect(fit({}, { taints: ["k:PreferNoSchedule"] })).toBe("runs");
  });

  it("ignores tolerated taints", () => {
    expect(fit({ tolerations: [{ key: "k", operator: "Exists" }] }, { taints: ["k:NoSchedule", "k:NoExecute"] })).toBe("runs");
  });

  it("ignores unhealthy conditions; an unready node gets no new pod", () => {
    const of = (...names: readonly `${string}:${"NoExecute" | "NoSchedule"}`[]): NodeParts => ({
      taints: names.map((name) => `node.kubernetes.io/${name}` as const),
    });
    expect(
      fit(
        {},
        of(
          "not-ready:NoExecute",
          "unreachable:NoExecute",
          "disk-pressure:NoSchedule",
          "memory-pressure:NoSchedule",
          "pid-pressure:NoSchedule",
          "unschedulable:NoSchedule",
        ),
      ),
    ).toBe("runs");
    expect(fit({}, of("not-ready:NoSchedule"))).toBe("stays");
    expect(fit({}, of("network-unavailable:NoSchedule"))).toBe("stays");
    expect(fit({ hostNetwork: true }, of("network-unavailable:NoSchedule"))).toBe("runs");
  });
});
