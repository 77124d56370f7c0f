import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonSetParts } from "../testing/daemon-set-objects.ts";
import { node } from "../testing/node-objects.ts";
import type { NodeParts } from "../testing/node-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { nodeJudge } from "./node-fit.ts";
import { podsByNode } from "./pods-by-node.ts";
import { rollingUpdate } from "./rolling-update.ts";

const old = (on: string): ReturnType<typeof daemonPod> => daemonPod({ on, hash: "old", readyFor: 60 });

function updated(
  set: DaemonSetParts,
  nodes: readonly NodeParts[],
  pods: readonly ReturnType<typeof daemonPod>[],
): { readonly nodes: readonly string[]; readonly deletions: readonly (string | undefined)[] } {
  const made = daemonSet(set);
  const { nodes: created, deletions } = rollingUpdate(made, {
    nodes: nodes.map(node),
    judge: nodeJudge(made),
    podsByNode: podsByNode(pods),
    hash: "new",
    now: start,
  });
  return { nodes: created, deletions: deletions.map(({ metadata }) => metadata.name) };
}

const five = ["e", "d", "c", "b", "a"].map((name) => ({ name }));

describe("rollingUpdate", () => {
  it("takes nodes by name, within a percentage of the desired number", () => {
    expect(
      updated(
        { unavailable: "30%" },
        five,
        five.map(({ name }) => old(name)),
      ),
    ).toEqual({ nodes: [], deletions: ["a-old", "b-old"] });
    expect(
      updated(
        { unavailable: 0, surge: "30%" },
        five,
        five.map(({ name }) => old(name)),
      ),
    ).toEqual({ nodes: ["a", "b"], deletions: [] });
  });

  it("counts nodes that lack their pod as unavailable", () => {
    expect(updated({ unavailable: 1 }, five, [old("a")])).toEqual({ nodes: [], deletions: [] });
    expect(updated({ unavailable: 5 }, five, [old("a")])).toEqual({ nodes: [], deletions: ["a-old"] });
  });

  it("replaces pods on nodes that would not get one now, without counting these nodes in percentages", () => {
    expect(updated({ unavailable: "100%" }, [{ name: "a" }, { name: "b", taints: ["k:NoSchedule"] }], [old("a"), old("b")])).toEqual({
      nodes: [],
      deletions: ["a-old"],
    });
  });

  it("does nothing for OnDelete", () => {
    expect(updated({ strategy: "OnDelete" }, five, [old("a")])).toEqual({ nodes: [], deletions: [] });
  });
});
