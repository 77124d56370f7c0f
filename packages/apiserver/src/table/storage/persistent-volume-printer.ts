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
    column("Capacity", "The capacity of the volume."),
    column("Access Modes", "The access modes of the volume."),
    column("Reclaim Policy", "What happens to the volume after its claim is deleted."),
    column("Status", "The phase of the volume."),
    column("Claim", "The claim that has the volume."),
    column("StorageClass", "The class of the storage."),
    column("VolumeAttributesClass", "The class of the attributes."),
    column("Reason", "Why something is wrong, in a word."),
    ageColumn,
    column("VolumeMode", "Whether the volume is a file system or a block device.", { priority: 1 }),
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
