/** CSIDriver: its requirements. */
import type { CSIDriver } from "@drover/api/storage/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const csiDriverPrinter: TablePrinter = printer<CSIDriver>(
  [
    nameColumn,
    column("AttachRequired", "Whether volumes must be attached before they are mounted.", { type: "boolean" }),
    column("PodInfoOnMount", "Whether the driver receives information about the pod.", { type: "boolean" }),
    column("StorageCapacity", "Whether the scheduler considers storage capacity.", { type: "boolean" }),
    column("TokenRequests", "The audiences of the pod's tokens that the driver receives."),
    column("RequiresRepublish", "Whether the driver is called periodically.", { type: "boolean" }),
    column("Modes", "The lifecycle modes of volumes."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => {
    const {
      attachRequired = true,
      podInfoOnMount = false,
      storageCapacity = false,
      tokenRequests,
      requiresRepublish = false,
      volumeLifecycleModes = [],
    } = spec;
    return [
      name,
      attachRequired,
      podInfoOnMount,
      storageCapacity,
      tokenRequests === undefined ? "<unset>" : tokenRequests.map(({ audience }) => audience).join(","),
      requiresRepublish,
      volumeLifecycleModes.join(",") || "<none>",
      ageOf(creationTimestamp, now),
    ];
  },
);
