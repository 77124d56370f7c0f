/** Which nodes should run a DaemonSet's pod. */
import type { Node } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { selectsNode } from "../shared/node-selection.ts";
import { tolerates } from "../shared/tolerates.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { daemonTolerations } from "./daemon-tolerations.ts";

export interface NodeFit {
  /** Whether the node should run a pod. */
  readonly shouldRun: boolean;
  /** Whether a running pod may stay. */
  readonly shouldContinue: boolean;
}

/** Decides about nodes for one DaemonSet. */
export type NodeJudge = (node: DeepReadonly<Node>) => NodeFit;

const no: NodeFit = { shouldRun: false, shouldContinue: false };
const yes: NodeFit = { shouldRun: true, shouldContinue: true };

/** Decides by a node's name, labels and taints; whether there is room is up to the scheduler. NoSchedule taints let a running pod stay. */
export function nodeJudge(daemonSet: DaemonSetView): NodeJudge {
  const spec = daemonSet.spec?.template.spec ?? { containers: [] };
  const tolerations = daemonTolerations(spec);
  return (node) => {
    if ((spec.nodeName ?? "") !== "" && spec.nodeName !== node.metadata.name) return no;
    if (!selectsNode({ spec }, node)) return no;
    const hostile = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint));
    if (hostile.some(({ effect }) => effect === "NoExecute")) return no;
    return hostile.some(({ effect }) => effect === "NoSchedule") ? { shouldRun: false, shouldContinue: true } : yes;
  };
}
