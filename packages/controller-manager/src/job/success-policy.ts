/** Whether a Job succeeds before all of its indexes do. */
import type { SuccessPolicy } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import { countIndexes, readIndexes, sharedCount } from "./index-set.ts";
import type { IndexSet } from "./index-set.ts";

/** Describes the first rule that is met; undefined when none is. A rule with invalid indexes is never met. */
export function metSuccessRule(
  policy: DeepReadonly<SuccessPolicy> | undefined,
  completions: number,
  succeeded: IndexSet,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const met = (policy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount = Infinity }) => {
    if (succeededIndexes === undefined) return countIndexes(succeeded) >= succeededCount;
    const wanted = readIndexes(succeededIndexes, completions);
    const have = sharedCount(wanted, succeeded);
    return wanted.length > 0 && (have === countIndexes(wanted) || have >= succeededCount);
  });
  return met === -1 ? undefined : `Matched rules at index ${met}`;
}
