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
    column("Provisioner", "The provisioner of the volumes."),
    column("ReclaimPolicy", "What happens to volumes after their claim is deleted."),
    column("VolumeBindingMode", "When volumes are provisioned and bound."),
    column("AllowVolumeExpansion", "Whether volumes can be expanded."),
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
