/**
 * The next step of an update, within maxSurge and maxUnavailable.
 *
 *     pods by node, budget → replacePods: delete old pods; a later sync creates the new ones
 *                          → surgePods: create new pods beside the old ones, delete those once the new ones are available
 */
import type { Node } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { NodeJudge } from "./node-fit.ts";
import type { PodChanges } from "./pod-changes.ts";
import type { PodsByNode } from "./pods-by-node.ts";
import { replacePods } from "./replace-pods.ts";
import { surgePods } from "./surge-pods.ts";
import { updateBudget } from "./update-budget.ts";

/** Input for planning an update. */
export interface UpdateFacts {
  readonly nodes: readonly DeepReadonly<Node>[];
  readonly judge: NodeJudge;
  readonly podsByNode: PodsByNode;
  /** Revision that pods should have. */
  readonly hash: string;
  readonly now: number;
}

const nothing: PodChanges = { nodes: [], deletions: [] };

/** Returns the next step; nothing for the strategy OnDelete. Takes nodes in the order of their names. */
export function rollingUpdate(daemonSet: DaemonSetView, { nodes, judge, podsByNode, hash, now }: UpdateFacts): PodChanges {
  if (daemonSet.spec?.updateStrategy?.type !== "RollingUpdate") return nothing;
  const fits = new Map(nodes.map((node) => [node.metadata.name ?? "", judge(node)]));
  const wanted = [...fits].filter(([, { shouldRun }]) => shouldRun).map(([name]) => name);
  const budget = updateBudget(daemonSet, wanted.length);
  const places = [...new Set([...podsByNode.keys(), ...wanted])]
    .toSorted(compareBytes)
    .map((name) => ({ name, fit: fits.get(name), pods: podsByNode.get(name) ?? [] }));
  if (budget.surge === 0)
    return { nodes: [], deletions: replacePods(daemonSet, places, { hash, now, unavailableMax: budget.unavailable }) };
  return surgePods(daemonSet, places, { hash, now, surgeMax: budget.surge, desired: wanted.length });
}
