/** PersistentVolume: capacity, status and claim. */
import type { PersistentVolume } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";
import { accessModesText, storageClassText } from "./volume-text.ts";

export const persistentVolumePrinter: TablePrinter = printer<PersistentVolume>(
  [
    nameColumn,
    column("Capacity", "How much the volume can hold."),
    column("Access Modes", "How the volume can be mounted."),
    column("Reclaim Policy", "What becomes of the volume when its claim is gone."),
    column("Status", "Whether the volume is free, bound or released."),
    column("Claim", "The claim that has the volume."),
    column("StorageClass", "The class of the storage."),
    column("VolumeAttributesClass", "The class of the attributes."),
    column("Reason", "Why something is wrong, in a word."),
    ageColumn,
    column("VolumeMode", "Whether it is a file system or a device.", { priority: 1 }),
  ],
  ({ metadata, spec = {}, status = {} }, now) => [
    metadata.name ?? "",
    String(getOwn(spec.capacity ?? {}, "storage") ?? "0"),
    accessModesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? "",
    metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
    spec.claimRef === undefined ? "" : `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}`,
    storageClassText(metadata, spec.storageClassName),
    spec.volumeAttributesClassName ?? "<unset>",
    status.reason ?? "",
    ageOf(metadata.creationTimestamp, now),
    spec.volumeMode ?? "<unset>",
  ],
);
