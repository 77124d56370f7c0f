/** FlowSchema: priority level and matching precedence. */
import { FlowSchema } from "@drover/api/flowcontrol/v1";
import { compareBytes } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";
import { typedObject } from "../../typed-object.ts";

export const flowSchemaPrinter: TablePrinter = {
  ...printer<FlowSchema>(
    [
      nameColumn,
      column("PriorityLevel", "Where the requests wait."),
      column("MatchingPrecedence", "In which place the schema is tried; the least is first."),
      column("DistinguisherMethod", "How flows are distinguished."),
      ageColumn,
      column("MissingPL", "Whether the priority level does not exist."),
    ],
    ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
      name,
      spec?.priorityLevelConfiguration.name ?? "",
      spec?.matchingPrecedence ?? 0,
      spec?.distinguisherMethod?.type ?? "<none>",
      ageOf(creationTimestamp, now),
      status?.conditions?.find(({ type }) => type === "Dangling")?.status ?? "?",
    ],
  ),
  order: byPrecedence,
};

/** Sorts by matching precedence, then by name. */
function byPrecedence(a: JsonObject, b: JsonObject): number {
  const [precedence, name] = placeOf(typedObject(FlowSchema, a));
  const [otherPrecedence, otherName] = placeOf(typedObject(FlowSchema, b));
  return precedence - otherPrecedence || compareBytes(name, otherName);
}

const placeOf = ({ metadata: { name = "" }, spec }: FlowSchema): [precedence: number, name: string] => [
  spec?.matchingPrecedence ?? 0,
  name,
];
