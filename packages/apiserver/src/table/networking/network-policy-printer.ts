/** NetworkPolicy: its pod selector. */
import type { NetworkPolicy } from "@drover/api/networking/v1";
import { formatLabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const networkPolicyPrinter: TablePrinter = printer<NetworkPolicy>(
  [nameColumn, column("Pod-Selector", "The labels of the pods it is about."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [
    name,
    formatLabelSelector(spec?.podSelector ?? {}),
    ageOf(creationTimestamp, now),
  ],
);
