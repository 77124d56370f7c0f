import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { node } from "../testing/node-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { daemonSetCounts } from "./daemon-set-status.ts";
import { nodeJudge } from "./node-fit.ts";
import { podsByNode } from "./pods-by-node.ts";

const counts = (pods: readonly PodView[], minReadySeconds = 0): ReturnType<typeof daemonSetCounts> => {
  const set = daemonSet({ minReadySeconds });
  const nodes = [node({ name: "n1" }), node({ name: "n2" }), node({ name: "n3", taints: ["k:NoSchedule"] })];
  return daemonSetCounts(set, { nodes, judge: nodeJudge(set), podsByNode: podsByNode(pods), hash: "new", now: start });
};

describe("daemonSetCounts", () => {
  it("counts nodes that want a pod, have it, or run one they should not", () => {
    expect(counts([daemonPod({ on: "n1" }), daemonPod({ on: "n3" }), daemonPod({ on: "gone" })])).toEqual({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 1,
      numberMisscheduled: 1,
      numberReady: 0,
      updatedNumberScheduled: 1,
      numberAvailable: 0,
      numberUnavailable: 2,
    });
  });

  it("counts the first pod of each node as ready, available and updated", () => {
    const pods = [
      daemonPod({ on: "n1", hash: "old", createdAgo: 90, readyFor: 60 }),
      daemonPod({ on: "n1", createdAgo: 10, readyFor: 5 }),
      daemonPod({ on: "n2", readyFor: 5 }),
      daemonPod({ on: "n3", readyFor: 60 }),
    ];
    expect(counts(pods, 30)).toMatchObject({
      currentNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 1,
      numberUnavailable: 1,
      updatedNumberScheduled: 1,
    });
    expect(counts(pods)).toMatchObject({ numberAvailable: 2, numberUnavailable: 0 });
  });
});
