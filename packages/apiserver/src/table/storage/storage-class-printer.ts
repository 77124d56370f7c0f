/** StorageClass: provisioner and binding. */
import type { StorageClass } from "@drover/api/storage/v1";
import { getOwn } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

const defaultAnnotations: readonly string[] = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassPrinter: TablePrinter = printer<StorageClass>(
  [
    nameColumn,
    column("Provisioner", "What makes the volumes."),
    column("ReclaimPolicy", "What becomes of volumes when their claim is gone."),
    column("VolumeBindingMode", "When volumes are made and bound."),
    column("AllowVolumeExpansion", "Whether volumes can grow."),
    ageColumn,
  ],
  (storageClass, now) => {
    const {
      metadata: { name = "", annotations = {}, creationTimestamp },
      provisioner,
      reclaimPolicy = "Delete",
      volumeBindingMode = "Immediate",
      allowVolumeExpansion = false,
    } = storageClass;
    const isDefault = defaultAnnotations.some((annotation) => getOwn(annotations, annotation) === "true");
    return [
      isDefault ? `${name} (default)` : name,
      provisioner,
      reclaimPolicy,
      volumeBindingMode,
      allowVolumeExpansion,
      ageOf(creationTimestamp, now),
    ];
  },
);
