/** VolumeAttributesClass: its driver. */
import type { VolumeAttributesClass } from "@drover/api/storage/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const volumeAttributesClassPrinter: TablePrinter = printer<VolumeAttributesClass>(
  [nameColumn, column("DriverName", "The driver that changes the volumes."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, driverName }, now) => [name, driverName, ageOf(creationTimestamp, now)],
);
