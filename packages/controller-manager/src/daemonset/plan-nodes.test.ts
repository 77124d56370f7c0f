import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { node } from "../testing/node-objects.ts";
import type { NodeParts } from "../testing/node-objects.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { start } from "../testing/workload-objects.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { nodeJudge } from "./node-fit.ts";
import { planNodes } from "./plan-nodes.ts";
import { podsByNode } from "./pods-by-node.ts";

interface Planned {
  readonly nodes: readonly string[];
  readonly deletions: readonly (string | undefined)[];
  readonly waits: readonly number[];
  readonly told: readonly string[];
}

function planned(
  nodes: readonly NodeParts[],
  pods: readonly PodView[],
  backoff: FailedPodBackoff = new FailedPodBackoff({ clock: new ManualClock() }),
  generation = 0,
): Planned {
  const set = daemonSet({ status: { observedGeneration: generation } });
  const events = recordingEvents();
  const plan = planNodes(
    set,
    { nodes: nodes.map(node), judge: nodeJudge(set), podsByNode: podsByNode(pods), hash: "new", now: start },
    { events, backoff },
  );
  return { ...plan, deletions: plan.deletions.map(({ metadata }) => metadata.name), told: events.told };
}

describe("planNodes", () => {
  it("plans a pod for each node that should run one, and no other", () => {
    expect(
      planned([{ name: "a" }, { name: "b" }, { name: "c", taints: ["k:NoExecute"] }], [daemonPod({ on: "b" }), daemonPod({ on: "c" })]),
    ).toEqual({ nodes: ["a"], deletions: ["c-new"], waits: [], told: [] });
  });

  it("deletes finished pods and records events", () => {
    expect(
      planned([{ name: "a" }, { name: "b" }], [daemonPod({ on: "a", phase: "Failed" }), daemonPod({ on: "b", phase: "Succeeded" })]),
    ).toMatchObject({
      deletions: ["a-new", "b-new"],
      told: [
        "Warning FailedDaemonPod Found failed daemon pod shop/a-new on node a, will try to kill it",
        "Normal SucceededDaemonPod Found succeeded daemon pod shop/b-new on node b, will try to delete it",
      ],
    });
  });

  it("delays the deletion of the next failed pod on the same node, until the DaemonSet changes", async () => {
    const clock = new ManualClock();
    const backoff = new FailedPodBackoff({ clock });
    const failed = [daemonPod({ on: "a", phase: "Failed" })];
    expect(planned([{ name: "a" }], failed, backoff).deletions).toEqual(["a-new"]);
    expect(planned([{ name: "a" }], failed, backoff)).toEqual({ nodes: [], deletions: [], waits: [1000], told: [] });
    expect(planned([{ name: "a" }], failed, backoff, 2).deletions).toEqual(["a-new"]);
    await clock.advance(1000);
    expect(planned([{ name: "a" }], failed, backoff).deletions).toEqual(["a-new"]);
  });

  it("deletes unbound pods for a node that is gone, and leaves bound ones to the pod garbage collector", () => {
    expect(
      planned(
        [{ name: "a" }],
        [
          daemonPod({ on: "a" }),
          daemonPod({ on: "gone", name: "waits", isPlaced: false }),
          daemonPod({ on: "gone", name: "was" }),
          daemonPod({ on: "gone", name: "going", isPlaced: false, isDeleting: true }),
        ],
      ).deletions,
    ).toEqual(["waits"]);
  });
});
