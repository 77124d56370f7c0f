/** PersistentVolumeClaim: volume, capacity and access modes. */
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";
import { accessModesText, storageClassText } from "./volume-text.ts";

export const persistentVolumeClaimPrinter: TablePrinter = printer<PersistentVolumeClaim>(
  [
    nameColumn,
    column("Status", "The phase of the claim."),
    column("Volume", "The volume it has."),
    column("Capacity", "The capacity of the volume."),
    column("Access Modes", "The access modes of the volume."),
    column("StorageClass", "The class of the storage."),
    column("VolumeAttributesClass", "The class of the attributes."),
    ageColumn,
    column("VolumeMode", "Whether the volume is a file system or a block device.", { priority: 1 }),
  ],
  ({ metadata, spec = {}, status = {} }, now) => {
    const volume = spec.volumeName ?? "";
    // Capacity and modes are known only for a bound claim.
    const [capacity, modes] =
      volume === "" ? ["", ""] : [String(getOwn(status.capacity ?? {}, "storage") ?? "0"), accessModesText(status.accessModes)];
    return [
      metadata.name ?? "",
      metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
      volume,
      capacity,
      modes,
      storageClassText(metadata, spec.storageClassName),
      spec.volumeAttributesClassName ?? "<unset>",
      ageOf(metadata.creationTimestamp, now),
      spec.volumeMode ?? "<unset>",
    ];
  },
);
