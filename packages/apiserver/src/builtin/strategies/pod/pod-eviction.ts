/** Decides evictions of pods by PodDisruptionBudgets. */
import {
  findStatusCondition,
  formatTime,
  newFailure,
  newForbidden,
  newTooManyRequests,
  selectorFromLabelSelector,
  SelectorError,
  setOwn,
  setStatusCondition,
} from "@drover/machinery";
import type { Status } from "@drover/machinery";
import type { Pod } from "@drover/api/core/v1";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";

const disruptedPodsMax = 2000;
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
const causeReason = "DisruptionBudget";

/** The decision about one pod. */
export type EvictionVerdict =
  /**
   * Allowed. With `onlyIfUnchanged` the pod did not count as healthy, so the deletion must be conditional on the version that was
   * checked.
   */
  | { readonly kind: "allowed"; readonly onlyIfUnchanged: boolean }
  /** Uses one of the budget's disruptions: its status, from {@link countDisruption}, has to be written first. */
  | { readonly kind: "counted"; readonly budget: PodDisruptionBudget }
  /** The refusal: a 429, 403 or 500. */
  | { readonly kind: "refused"; readonly status: Status };

/** Whether a pod needs no budget: it is finished, pending or terminating. */
export function canEvictWithoutBudget({ metadata, status }: Pod): boolean {
  const phase = status?.phase;
  return phase === "Succeeded" || phase === "Failed" || phase === "Pending" || metadata.deletionTimestamp !== undefined;
}

/** Whether a deletion without a budget must still be conditional on the version that was checked. */
export function mustEvictUnchanged({ metadata, status }: Pod): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed" && metadata.deletionTimestamp === undefined;
}

/** `budgets` are those of the pod's namespace; one with an invalid selector selects nothing. */
export function checkDisruptionBudgets(pod: Pod, budgets: readonly PodDisruptionBudget[]): EvictionVerdict {
  const matching = budgets.filter((budget) => selects(budget, pod));
  const [budget] = matching;
  if (budget === undefined) return { kind: "allowed", onlyIfUnchanged: false };
  if (matching.length > 1) {
    return {
      kind: "refused",
      status: newFailure(500, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."),
    };
  }
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  if (findStatusCondition(pod.status?.conditions, "Ready")?.status !== "True") {
    if (budget.spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return { kind: "allowed", onlyIfUnchanged: true };
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return { kind: "allowed", onlyIfUnchanged: true };
  }
  const status = budgetRefusal(budget);
  return status === undefined ? { kind: "counted", budget } : { kind: "refused", status };
}

/** Returns a copy of the pod with the DisruptionTarget condition. `now` is in milliseconds since 1970. */
export function disrupted(pod: Pod, now: number): Pod {
  const said = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" } as const;
  const { conditions = [] } = pod.status ?? {};
  const before = conditions.find(({ type }) => type === said.type);
  const condition = {
    ...before,
    ...said,
    lastTransitionTime: (before?.status === said.status ? before.lastTransitionTime : undefined) ?? formatTime(now),
  };
  return {
    ...pod,
    status: {
      ...pod.status,
      conditions: before === undefined ? [...conditions, condition] : conditions.map((each) => (each === before ? condition : each)),
    },
  };
}

/** The 429 of a budget that another eviction is updating. */
export function budgetStillProcessed(name: string): Status {
  return withCause(newTooManyRequests(refusal, 10), `The disruption budget ${name} is still being processed by the server.`);
}

/** Returns a copy of the budget with one disruption less and the pod recorded. `now` is in milliseconds since 1970. */
export function countDisruption(budget: PodDisruptionBudget, podName: string, now: number): PodDisruptionBudget {
  const { status } = budget;
  const time = formatTime(now);
  const disruptionsAllowed = (status?.disruptionsAllowed ?? 0) - 1;
  const disruptedPods = { ...status?.disruptedPods };
  setOwn(disruptedPods, podName, time);
  const next = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status, disruptionsAllowed, disruptedPods };
  if (disruptionsAllowed === 0) {
    setStatusCondition(
      next,
      {
        type: "DisruptionAllowed",
        status: "False",
        reason: "InsufficientPods",
        message: "",
        observedGeneration: status?.observedGeneration ?? 0,
      },
      time,
    );
  }
  return { ...budget, status: next };
}

function selects({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  if (metadata.namespace !== pod.metadata.namespace) return false;
  try {
    return selectorFromLabelSelector(spec?.selector).matches(pod.metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function budgetRefusal({ metadata: { name = "", generation = 0 }, status }: PodDisruptionBudget): Status | undefined {
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    disruptedPods = {},
    currentHealthy = 0,
    desiredHealthy = 0,
    conditions,
  } = status ?? {};
  const resource = { group: "policy", resource: "poddisruptionbudget" };
  if (observedGeneration < generation) return budgetStillProcessed(name);
  if (disruptionsAllowed < 0) return newForbidden(resource, name, "pdb disruptions allowed is negative");
  if (Object.keys(disruptedPods).length > disruptedPodsMax)
    return newForbidden(resource, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  if (disruptionsAllowed > 0) return undefined;
  const condition = findStatusCondition(conditions, "DisruptionAllowed");
  const said = condition?.status === "False" && condition.message !== "" ? condition : undefined;
  const budget = `The disruption budget ${name}`;
  if (said?.reason === "SyncFailed")
    return withCause(
      newTooManyRequests(refusal, 0),
      `${budget} does not allow evicting pods currently because it failed sync: ${said.message}`,
    );
  if (currentHealthy <= desiredHealthy)
    return withCause(newTooManyRequests(refusal, 0), `${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);
  if (said !== undefined)
    return withCause(newTooManyRequests(refusal, 0), `${budget} does not allow evicting pods currently (${said.reason}): ${said.message}`);
  return withCause(newTooManyRequests(refusal, 0), `${budget} does not allow evicting pods currently`);
}

function withCause(status: Status, message: string): Status {
  return { ...status, details: { ...status.details, causes: [...(status.details?.causes ?? []), { reason: causeReason, message }] } };
}
