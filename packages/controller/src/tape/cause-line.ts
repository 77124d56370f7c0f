/**
 * Prints the cause of a controller's write in half a line.
 *
 *     CauseRecord → "Deployment shop/web was updated by kubectl: spec.replicas 3 → 5"
 */
import { formatDuration } from "@drover/machinery";
import type { CauseRecord, ChangeRecord, Writer } from "./run-record.ts";

const events: Readonly<Record<ChangeRecord["event"], string>> = {
  added: "was created",
  updated: "was changed",
  deleted: "was deleted",
  initial: "exists",
  resync: "was resynced",
};

/** Returns the most informative cause: changes by others before the controller's own. Undefined if there is none. */
export function causeLine(causes: readonly CauseRecord[], controller: string): string | undefined {
  const isOwn = ({ writers }: ChangeRecord): boolean =>
    writers.some((writer) => writer.type === "self" && writer.controller === controller);
  const cause = causes.find((one) => one.type === "change" && !isOwn(one)) ?? causes[0];
  if (cause === undefined) return undefined;
  switch (cause.type) {
    case "change":
      return changeLine(cause);
    case "timer":
      return `timer ${cause.source} fired`;
    case "external":
      return `event from ${cause.source}`;
    case "after":
      return `${formatDuration(cause.afterMs)} have passed`;
    case "retry":
      return `it failed before: ${cause.error.split("\n", 1)[0] ?? ""}`;
    case "enqueue":
    default:
      return cause.note;
  }
}

function changeLine({ kind, key, event, writers, fields = [], fieldCount = 0 }: ChangeRecord): string {
  if (event === "updated" && fields.some(({ path, before }) => path === "metadata.deletionTimestamp" && before === undefined))
    return `${kind.kind} ${key} is being deleted`;
  const by = writers.map(writerWord).find((word) => word !== undefined);
  // Fields of the spec are more informative than those of the status.
  const field = fields.find(({ path }) => path.startsWith("spec.")) ?? fields[0];
  const more = fieldCount > 1 ? ` and ${fieldCount - 1} more` : "";
  const what =
    event !== "updated" || field === undefined
      ? ""
      : `: ${field.path}${field.before === undefined ? "" : ` ${field.before}`}${field.after === undefined ? " removed" : ` → ${field.after}`}${more}`;
  return `${kind.kind} ${key} ${events[event]}${by === undefined ? "" : ` by ${by}`}${what}`;
}

function writerWord(writer: Writer): string | undefined {
  switch (writer.type) {
    case "self":
      return writer.controller;
    case "manager":
      return writer.manager === "" ? undefined : writer.manager;
    case "unknown":
    default:
      return undefined;
  }
}
