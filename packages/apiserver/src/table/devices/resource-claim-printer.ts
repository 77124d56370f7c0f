/** ResourceClaim: its allocation state. */
import type { ResourceClaim } from "@drover/api/resource/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const resourceClaimPrinter: TablePrinter = printer<ResourceClaim>(
  [nameColumn, column("State", "The state of the claim."), ageColumn],
  (claim, now) => {
    const {
      metadata: { name = "", creationTimestamp },
    } = claim;
    return [name, statesOf(claim).join(","), ageOf(creationTimestamp, now)];
  },
);

function statesOf({ metadata, status }: ResourceClaim): string[] {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  if (status?.allocation === undefined) return [isDeleted ? "deleted" : "pending"];
  return [...(isDeleted ? ["deleted"] : []), "allocated", ...((status.reservedFor ?? []).length === 0 ? [] : ["reserved"])];
}
