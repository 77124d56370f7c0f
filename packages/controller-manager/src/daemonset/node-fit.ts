/** On which nodes a DaemonSet wants its pods. */
import type { Node } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { selectsNode } from "../shared/node-selection.ts";
import { tolerates } from "../shared/tolerates.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { daemonTolerations } from "./daemon-tolerations.ts";

export interface NodeFit {
  /** Whether a pod is wanted there. */
  readonly shouldRun: boolean;
  /** Whether one that is there may stay. */
  readonly shouldContinue: boolean;
}

/** The judge of nodes for one DaemonSet, to be asked about many. */
export type NodeJudge = (node: DeepReadonly<Node>) => NodeFit;

const no: NodeFit = { shouldRun: false, shouldContinue: false };
const yes: NodeFit = { shouldRun: true, shouldContinue: true };

/**
 * By the name, labels and taints of a node; whether there is room is the scheduler's business. Taints that only keep
 * newcomers away let a pod stay.
 */
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
