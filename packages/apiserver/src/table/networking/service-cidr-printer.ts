/** ServiceCIDR: its ranges. */
import type { ServiceCIDR } from "@drover/api/networking/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const serviceCidrPrinter: TablePrinter = printer<ServiceCIDR>(
  [nameColumn, column("CIDRs", "The ranges of addresses."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [name, (spec?.cidrs ?? []).join(","), ageOf(creationTimestamp, now)],
);
