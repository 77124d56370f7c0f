/** VolumeAttachment: volume, node and whether it is attached. */
import type { VolumeAttachment } from "@drover/api/storage/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const volumeAttachmentPrinter: TablePrinter = printer<VolumeAttachment>(
  [
    nameColumn,
    column("Attacher", "The driver that attaches the volume.", { format: "name" }),
    column("PV", "The volume."),
    column("Node", "The node it is for."),
    column("Attached", "Whether the volume is attached.", { type: "boolean" }),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    spec.attacher,
    spec.source.persistentVolumeName ?? "",
    spec.nodeName,
    status?.attached ?? false,
    ageOf(creationTimestamp, now),
  ],
);
