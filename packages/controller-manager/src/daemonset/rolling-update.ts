/**
 * The next step of an update, within what may be missing or beyond.
 *
 *     pods by node, budget → replacePods: delete old ones, new ones come by themselves
 *                          → surgePods: create new ones beside, delete the old ones when those are available
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

/** What an update is planned with. */
export interface UpdateFacts {
  readonly nodes: readonly DeepReadonly<Node>[];
  readonly judge: NodeJudge;
  readonly podsByNode: PodsByNode;
  /** The revision that pods should be of. */
  readonly hash: string;
  readonly now: number;
}

const nothing: PodChanges = { nodes: [], deletions: [] };

/** Nothing for the strategy OnDelete. Nodes are taken in the order of their names. */
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
