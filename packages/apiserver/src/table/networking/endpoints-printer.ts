/** Endpoints: addresses with ports. */
import type { Endpoints, EndpointSubset } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { firstFew } from "../first-few.ts";
import { printer } from "../printer.ts";

export const endpointsPrinter: TablePrinter = printer<Endpoints>(
  [nameColumn, column("Endpoints", "The addresses that are ready, with their ports."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, subsets = [] }, now) => [
    name,
    subsets.length === 0 ? "<none>" : firstFew(subsets.flatMap(addressTexts), ""),
    ageOf(creationTimestamp, now),
  ],
);

/** Every address with every port; without ports the plain addresses. */
function addressTexts({ addresses = [], ports = [] }: EndpointSubset): string[] {
  if (ports.length === 0) return addresses.map(({ ip }) => ip);
  return ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`));
}
