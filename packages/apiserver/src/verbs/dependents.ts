/** Propagation policy: which finalizers a deletion leaves for the garbage collector. */
import { foregroundFinalizer, orphanFinalizer } from "@drover/machinery";
import type { DeleteOptions, ObjectMeta } from "@drover/machinery";

/**
 * Returns the finalizers after a deletion with these options; undefined when the set does not change. Duplicates do not count as
 * a change.
 */
export function finalizersForDeletion(
  { finalizers = [] }: ObjectMeta,
  options: DeleteOptions,
  orphansByDefault: boolean,
): string[] | undefined {
  const orphan = shouldOrphan(finalizers, options, orphansByDefault);
  const foreground = shouldDeleteFirst(finalizers, options);
  const kept = finalizers.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  const next = [...kept, ...(orphan ? [orphanFinalizer] : []), ...(foreground ? [foregroundFinalizer] : [])];
  return next.every((name) => finalizers.includes(name)) && finalizers.every((name) => next.includes(name)) ? undefined : next;
}

function shouldOrphan(finalizers: readonly string[], { orphanDependents, propagationPolicy }: DeleteOptions, byDefault: boolean): boolean {
  if (orphanDependents !== undefined) return orphanDependents;
  if (propagationPolicy !== undefined) return propagationPolicy === "Orphan";
  for (const name of finalizers) {
    if (name === orphanFinalizer) return true;
    if (name === foregroundFinalizer) return false;
  }
  return byDefault;
}

function shouldDeleteFirst(finalizers: readonly string[], { orphanDependents, propagationPolicy }: DeleteOptions): boolean {
  if (orphanDependents !== undefined) return false;
  if (propagationPolicy !== undefined) return propagationPolicy === "Foreground";
  for (const name of finalizers) {
    if (name === foregroundFinalizer) return true;
    if (name === orphanFinalizer) return false;
  }
  return false;
}
