/** Whether a workload's selector matches an object without an owner. */
import { selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, KubeObject, LabelSelector } from "@drover/machinery";

/** False for an empty or invalid selector; the workload's own sync reports it. */
export function selects(
  { spec }: { readonly spec?: { readonly selector?: DeepReadonly<LabelSelector> } },
  object: DeepReadonly<KubeObject>,
): boolean {
  try {
    const selector = selectorFromLabelSelector(spec?.selector);
    return !selector.isEverything && selector.matches(object.metadata.labels);
  } catch {
    return false;
  }
}
