/** The pod failure policy of a Job: fail the Job, fail the index, ignore the failure, or count it. */
import type { PodFailurePolicy, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";

/** Result of the policy. */
export interface FailureVerdict {
  /** Action of the first matching rule; undefined when none matches. */
  readonly action?: PodFailurePolicyRule["action"];
  /** Whether the failure counts against the limits. */
  readonly isCounted: boolean;
  /** Why the whole Job fails. */
  readonly message?: string;
}

const counted: FailureVerdict = { isCounted: true };

/** Returns the result of the first rule that matches the pod. */
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

/** Describes what in the pod matches the rule. */
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

/** Exit code 0 matches nothing, not even "NotIn"; a running container has no code. */
function matchesExitCode(
  { containerName, operator, values }: DeepReadonly<PodFailurePolicyOnExitCodesRequirement>,
  container: string,
  code: number | undefined,
): boolean {
  if (code === undefined || code === 0 || (containerName ?? container) !== container) return false;
  return values.includes(code) === (operator === "In");
}
