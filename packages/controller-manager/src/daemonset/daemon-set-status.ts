/**
 * The status of a DaemonSet: how many nodes should run its pod, how many do, and in what state.
 *
 *     nodes, pods by node → daemonSetCounts → writeDaemonSetStatus
 */
import type { DaemonSetStatus } from "@drover/api/apps/v1";
import type { DeepReadonly } from "@drover/machinery";
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import { isUpdated } from "./daemon-set-view.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { UpdateFacts } from "./rolling-update.ts";

/** The counted part of a status. */
export type DaemonSetCounts = DeepReadonly<
  Pick<
    DaemonSetStatus,
    | "currentNumberScheduled"
    | "desiredNumberScheduled"
    | "numberAvailable"
    | "numberMisscheduled"
    | "numberReady"
    | "numberUnavailable"
    | "updatedNumberScheduled"
  >
>;

/** Counts the first pod of each node. A pod on a node that should not run it counts as misscheduled and as nothing else. */
export function daemonSetCounts(daemonSet: DaemonSetView, { nodes, judge, podsByNode, hash, now }: UpdateFacts): Required<DaemonSetCounts> {
  const places = nodes.map((node) => ({ isWanted: judge(node).shouldRun, pod: podsByNode.get(node.metadata.name ?? "")?.[0] }));
  const wanted = places.filter(({ isWanted }) => isWanted);
  const pods = wanted.flatMap(({ pod }) => (pod === undefined ? [] : [pod]));
  const available = pods.filter((pod) => isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now)).length;
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: pods.length,
    numberMisscheduled: places.filter(({ isWanted, pod }) => !isWanted && pod !== undefined).length,
    numberReady: pods.filter(isPodReady).length,
    updatedNumberScheduled: pods.filter((pod) => isUpdated(pod, daemonSet, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}
