/**
 * What is said about a DaemonSet: on how many nodes it should be, on how many it is, and how well.
 *
 *     nodes, pods by node → daemonSetCounts → writeDaemonSetStatus
 */
import type { DaemonSetStatus } from "@drover/api/apps/v1";
import type { DeepReadonly } from "@drover/machinery";
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import { isUpdated } from "./daemon-set-view.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { UpdateFacts } from "./rolling-update.ts";

/** The part of a status that is counted. */
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

/** Of each node's pods the foremost counts. A pod on a node where none is wanted is misplaced, and counts as nothing else. */
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
