/** All containers of a pod, one after the other, as the server visits them. */
import { fieldChild, fieldIndex } from "@drover/machinery";
import type { FieldPath } from "@drover/machinery";
import type { Container, PodSpec } from "@drover/api/core/v1";

/** A container and where it stands. */
export interface PlacedContainer {
  readonly container: Container;
  readonly path: FieldPath;
}

/** Init containers, containers, ephemeral containers. */
export function containersOf(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  const place = (list: readonly Container[] | null | undefined, field: string): PlacedContainer[] =>
    (list ?? []).map((container, index) => ({ container, path: fieldIndex(fieldChild(path, field), index) }));
  return [
    ...place(spec.initContainers, "initContainers"),
    ...place(spec.containers, "containers"),
    ...place(spec.ephemeralContainers, "ephemeralContainers"),
  ];
}
