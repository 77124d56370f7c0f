/** What volumes and claims have in common in their cells. */
import type { ObjectMeta } from "@drover/machinery";
import { getOwn } from "@drover/machinery";

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** "RWO,ROX", in this order and each once. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");

/** The old annotation, also an empty one, wins over the field. */
export const storageClassText = ({ annotations = {} }: ObjectMeta, className: string | undefined): string =>
  getOwn(annotations, "volume.beta.kubernetes.io/storage-class") ?? className ?? "";
