/** Obsolete annotations that the server removes. */

/** Removes annotations, and the map if it is empty then. */
export function dropAnnotations(metadata: { annotations?: Record<string, string> } | undefined, names: readonly string[]): void {
  const annotations = metadata?.annotations;
  if (annotations === undefined) return;
  for (const name of names) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata?.annotations;
}

/** The annotations in which init containers once were. */
export const initContainerAnnotations: readonly string[] = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];
