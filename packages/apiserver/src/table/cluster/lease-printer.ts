/** Lease: its holder. */
import type { Lease } from "@drover/api/coordination/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const leasePrinter: TablePrinter = printer<Lease>(
  [nameColumn, column("Holder", "The holder of the lease."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [name, spec?.holderIdentity ?? "", ageOf(creationTimestamp, now)],
);
