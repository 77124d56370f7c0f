/** What a Job says about pods that fail in a certain way: give up, give up this index, do not count it, count it. */
import type { PodFailurePolicy, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";

/** What follows from a failure. */
export interface FailureVerdict {
  /** The action of the first rule that matches; undefined when none does. */
  readonly action?: PodFailurePolicyRule["action"];
  /** Whether it counts against the limits. */
  readonly isCounted: boolean;
  /** Why the whole Job fails. */
  readonly message?: string;
}

const counted: FailureVerdict = { isCounted: true };

/** The verdict of the first rule that matches the pod. */
export function failureVerdict(policy: DeepReadonly<PodFailurePolicy> | undefined, pod: PodView): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const cause = matchingCause(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    return action === "FailJob"
      ? { action, isCounted: true, message: `${cause} matching ${action} rule at index ${index}` }
      : { action, isCounted: action !== "Ignore" };
  }
  return counted;
}

/** What it is in the pod that the rule speaks of, in words. */
function matchingCause(
  { onExitCodes, onPodConditions }: DeepReadonly<PodFailurePolicyRule>,
  { metadata: { namespace, name }, status }: PodView,
): string | undefined {
  if (onExitCodes !== undefined) {
    const container = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find((each) =>
      matchesExitCode(onExitCodes, each.name, each.state?.terminated?.exitCode),
    );
    return (
      container && `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${container.state?.terminated?.exitCode}`
    );
  }
  const condition = status?.conditions?.find((each) =>
    onPodConditions?.some((pattern) => pattern.type === each.type && (pattern.status ?? "True") === each.status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

/** Success matches nothing, not even "NotIn"; a container that has not ended has no code. */
function matchesExitCode(
  { containerName, operator, values }: DeepReadonly<PodFailurePolicyOnExitCodesRequirement>,
  container: string,
  code: number | undefined,
): boolean {
  if (code === undefined || code === 0 || (containerName ?? container) !== container) return false;
  return values.includes(code) === (operator === "In");
}
