/** EndpointSlice: address type, ports and endpoints. */
import type { EndpointSlice } from "@drover/api/discovery/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { firstFew } from "../first-few.ts";
import { printer } from "../printer.ts";

export const endpointSlicePrinter: TablePrinter = printer<EndpointSlice>(
  [
    nameColumn,
    column("AddressType", "Of which kind the addresses are."),
    column("Ports", "The ports of every address."),
    column("Endpoints", "The addresses."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, addressType, ports, endpoints }, now) => [
    name,
    addressType,
    firstFew(
      (ports ?? []).map((port) => String(port.port ?? port.name ?? "*")),
      "<unset>",
    ),
    firstFew(
      (endpoints ?? []).flatMap(({ addresses }) => addresses),
      "<unset>",
    ),
    ageOf(creationTimestamp, now),
  ],
);
