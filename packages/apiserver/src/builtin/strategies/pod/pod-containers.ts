/** All containers of a pod, in kube-apiserver's order. */
import { fieldChild, fieldIndex } from "@drover/machinery";
import type { FieldPath } from "@drover/machinery";
import type { Container, PodSpec } from "@drover/api/core/v1";

/** A container and its path. */
export interface PlacedContainer {
  readonly container: Container;
  readonly path: FieldPath;
}

/** Returns init containers, containers, then ephemeral containers. */
export function containersOf(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  const place = (list: readonly Container[] | null | undefined, field: string): PlacedContainer[] =>
    (list ?? []).map((container, index) => ({ container, path: fieldIndex(fieldChild(path, field), index) }));
  return [
    ...place(spec.initContainers, "initContainers"),
    ...place(spec.containers, "containers"),
    ...place(spec.ephemeralContainers, "ephemeralContainers"),
  ];
}
