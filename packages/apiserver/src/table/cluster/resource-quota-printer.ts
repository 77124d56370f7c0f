/** ResourceQuota: used and hard amounts. */
import type { ResourceQuota } from "@drover/api/core/v1";
import { compareBytes, getOwn } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const resourceQuotaPrinter: TablePrinter = printer<ResourceQuota>(
  [nameColumn, column("Request", "Used and hard amounts of requests."), column("Limit", "Used and hard amounts of limits."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, status }, now) => {
    const { hard = {}, used = {} } = status ?? {};
    const names = Object.keys(hard).toSorted(compareBytes);
    const texts = (wanted: readonly string[]): string =>
      wanted.map((each) => `${each}: ${getOwn(used, each) ?? "0"}/${getOwn(hard, each)}`).join(", ");
    return [name, texts(names.filter((each) => !isLimit(each))), texts(names.filter(isLimit)), ageOf(creationTimestamp, now)];
  },
);

const isLimit = (resource: string): boolean => resource.startsWith("limits.");
