/** How many nodes may have an extra pod or none while pods are replaced. */
import { scaledValueFromIntOrPercent } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";
import type { DaemonSetView } from "./daemon-set-view.ts";

export interface UpdateBudget {
  /** On how many nodes a second pod may run; with 0, pods are deleted first and created afterwards. */
  readonly surge: number;
  /** On how many nodes the pod may be unavailable. */
  readonly unavailable: number;
}

/**
 * Resolves percentages of `desired`, rounded up. When both come to 0, one pod may be unavailable, or the update could not proceed.
 * Throws a `ValueSyntaxError` for an invalid percentage.
 */
export function updateBudget({ spec }: DaemonSetView, desired: number): UpdateBudget {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const count = (value: IntOrString | undefined): number =>
    type === "RollingUpdate" ? scaledValueFromIntOrPercent(value ?? 0, desired, { round: "up" }) : 0;
  const [surge, unavailable] = [count(rollingUpdate?.maxSurge), count(rollingUpdate?.maxUnavailable)];
  return { surge, unavailable: desired > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Whether a node may run two pods at a time. */
export function allowsSurge(daemonSet: DaemonSetView): boolean {
  return updateBudget(daemonSet, 1).surge > 0;
}
