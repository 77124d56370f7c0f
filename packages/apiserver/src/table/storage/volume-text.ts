/** Cells shared by volumes and claims. */
import type { ObjectMeta } from "@drover/machinery";
import { getOwn } from "@drover/machinery";

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** "RWO,ROX": unique, in this order. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");

/** The legacy annotation, even if empty, wins over the field. */
export const storageClassText = ({ annotations = {} }: ObjectMeta, className: string | undefined): string =>
  getOwn(annotations, "volume.beta.kubernetes.io/storage-class") ?? className ?? "";
