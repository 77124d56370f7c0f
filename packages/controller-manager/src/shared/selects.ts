/** Whether a workload would take an object that has no owner. */
import { selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, KubeObject, LabelSelector } from "@drover/machinery";

/** Not when its selector is empty or makes no sense: its own runs say what is wrong with it. */
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
