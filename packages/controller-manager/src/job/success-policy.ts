/** When a Job has succeeded although not all of its indexes have. */
import type { SuccessPolicy } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import { countIndexes, readIndexes, sharedCount } from "./index-set.ts";
import type { IndexSet } from "./index-set.ts";

/** Which rule is met, in words; the first of several, undefined when none is. A rule whose indexes cannot be read is never met. */
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
