/** How far a DaemonSet may be from what it should be while its pods are replaced. */
import { scaledValueFromIntOrPercent } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";
import type { DaemonSetView } from "./daemon-set-view.ts";

export interface UpdateBudget {
  /** On how many nodes a second pod may be; with none, pods are deleted first and created after. */
  readonly surge: number;
  /** On how many nodes the pod may be missing. */
  readonly unavailable: number;
}

/**
 * Of so many nodes, percentages rounded up. When neither is allowed one may be missing, or there would be no way on.
 * Throws a `ValueSyntaxError` for what is no percentage.
 */
export function updateBudget({ spec }: DaemonSetView, desired: number): UpdateBudget {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const count = (value: IntOrString | undefined): number =>
    type === "RollingUpdate" ? scaledValueFromIntOrPercent(value ?? 0, desired, { round: "up" }) : 0;
  const [surge, unavailable] = [count(rollingUpdate?.maxSurge), count(rollingUpdate?.maxUnavailable)];
  return { surge, unavailable: desired > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Whether two pods may be on one node at a time. */
export function allowsSurge(daemonSet: DaemonSetView): boolean {
  return updateBudget(daemonSet, 1).surge > 0;
}
