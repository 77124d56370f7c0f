/** PriorityLevelConfiguration: concurrency shares and queues. */
import type { PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const priorityLevelConfigurationPrinter: TablePrinter = printer<PriorityLevelConfiguration>(
  [
    nameColumn,
    column("Type", "Whether there is a limit."),
    column("NominalConcurrencyShares", "How much of the server this level has, beside others."),
    column("Queues", "How many queues there are."),
    column("HandSize", "How many queues are dealt to a flow."),
    column("QueueLengthLimit", "How many requests can wait in a queue."),
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
