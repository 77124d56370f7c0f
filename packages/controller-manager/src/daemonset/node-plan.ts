/**
 * What one node needs from a DaemonSet now, apart from updates: a pod, or fewer pods.
 *
 *     its fit, its pods → planNode → isNeeded, failed, succeeded, surplus
 */
import { getOwn } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { NodeFit } from "./node-fit.ts";

export interface NodePlan {
  /** Whether to create a pod. */
  readonly isNeeded: boolean;
  /** Failed pods to delete, subject to backoff. */
  readonly failed: readonly PodView[];
  /** Pods to delete because they exited successfully, which daemons should not. */
  readonly succeeded: readonly PodView[];
  /** Pods to delete because the node should not run them, or because one is enough. */
  readonly surplus: readonly PodView[];
}

export interface NodePlanOptions {
  /** Revision that pods should have. */
  readonly hash: string;
  readonly now: number;
  /** Whether an old and a new pod may run side by side. */
  readonly mayOverlap: boolean;
}

const nothing: NodePlan = { isNeeded: false, failed: [], succeeded: [], surplus: [] };

/** @param pods - pods of this node, ordered as by `podsByNode` */
export function planNode(
  daemonSet: DaemonSetView,
  { shouldRun, shouldContinue }: NodeFit,
  pods: readonly PodView[],
  options: NodePlanOptions,
): NodePlan {
  if (shouldRun && pods.length === 0) return { ...nothing, isNeeded: true };
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!shouldContinue) return { ...nothing, surplus: staying };
  const [failed, succeeded] = (["Failed", "Succeeded"] as const).map((phase) => staying.filter(({ status }) => status?.phase === phase));
  const running = staying.filter(({ status }) => status?.phase !== "Failed" && status?.phase !== "Succeeded");
  const ended = { failed: failed ?? [], succeeded: succeeded ?? [] };
  if (!options.mayOverlap) return { ...ended, isNeeded: false, surplus: running.slice(1) };
  // While pods may overlap, one of them is always not terminating.
  return { ...ended, isNeeded: running.length === 0 && shouldRun, surplus: surplusOfTwo(daemonSet, running, options) };
}

/** An old and a new pod may coexist while the old one is ready and the new one is not available yet. */
function surplusOfTwo({ spec }: DaemonSetView, running: readonly PodView[], { hash, now }: NodePlanOptions): readonly PodView[] {
  const isNew = ({ metadata: { labels = {} } }: PodView): boolean => getOwn(labels, podRevisionLabel) === hash;
  const [newest, older] = [running.filter(isNew), running.filter((pod) => !isNew(pod))];
  const [keptNew, keptOld] = [newest[0], older[0]];
  const further = running.filter((pod) => pod !== keptNew && pod !== keptOld);
  if (keptNew === undefined || keptOld === undefined) return further;
  const isReplaced = !isPodReady(keptOld) || isPodAvailable(keptNew, spec?.minReadySeconds ?? 0, now);
  return isReplaced ? [...further, keptOld] : further;
}
