/** PriorityLevelConfiguration: concurrency shares and queues. */
import type { PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const priorityLevelConfigurationPrinter: TablePrinter = printer<PriorityLevelConfiguration>(
  [
    nameColumn,
    column("Type", "Whether the level is limited."),
    column("NominalConcurrencyShares", "The level's share of the server's concurrency."),
    column("Queues", "The number of queues."),
    column("HandSize", "The number of queues per flow."),
    column("QueueLengthLimit", "The maximum number of requests in a queue."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => {
    const limited = spec?.limited;
    const queuing = limited?.limitResponse?.queuing;
    return [
      name,
      spec?.type ?? "",
      limited === undefined ? "<none>" : (limited.nominalConcurrencyShares ?? 0),
      ...(queuing === undefined
        ? ["<none>", "<none>", "<none>"]
        : [queuing.queues ?? 0, queuing.handSize ?? 0, queuing.queueLengthLimit ?? 0]),
      ageOf(creationTimestamp, now),
    ];
  },
);
