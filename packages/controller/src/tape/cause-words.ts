/**
 * Describes causes in words.
 *
 *     CauseRecord → causeWords → "Deployment web/shop was updated: spec.replicas 2 → 3, by kubectl-edit (version 4711)"
 */
import { formatDuration } from "@drover/machinery";
import { oneLine } from "./one-line.ts";
import type { CauseRecord, ChangeRecord, FieldChange, RunRecord, Writer } from "./run-record.ts";

/** The run that is described; references to the same controller and key are shortened. */
export type Narrator = Pick<RunRecord, "controller" | "key">;

/** Returns one cause as a clause that follows "because". */
export function causeWords(cause: CauseRecord, narrator: Narrator): string {
  switch (cause.type) {
    case "change":
      return changeWords(cause, narrator);
    case "timer":
      return `timer ${oneLine(cause.source)} fired`;
    case "external":
      return `external event from ${oneLine(cause.source)}${noteWords(cause.note)}`;
    case "after":
      return `run ${cause.run} requested another run after ${formatDuration(cause.afterMs)}`;
    case "retry":
      return `retry ${cause.attempt}: run ${cause.run} ${cause.isConflict ? "had a conflict" : "failed"}: ${oneLine(cause.error)}`;
    case "enqueue":
    default: {
      const { parent } = cause;
      return `${parent === undefined ? "the program enqueued it" : `run ${parent.run} of ${parent.controller} for ${parent.key} enqueued it`}${noteWords(cause.note)}`;
    }
  }
}

const noteWords = (note: string | undefined): string => (note === undefined ? "" : `: ${oneLine(note)}`);

const relations: Readonly<Record<ChangeRecord["via"], string>> = { self: "", owner: " (owned)", mapped: " (related)" };
const events: Readonly<Record<ChangeRecord["event"], string>> = {
  added: "was created",
  updated: "was updated",
  deleted: "was deleted",
  initial: "existed at the start",
  resync: "was resynced",
};

function changeWords(change: ChangeRecord, narrator: Narrator): string {
  const { event, via, kind, cluster, key, resourceVersion } = change;
  const who = `${kind.kind} ${key}${cluster === "" ? "" : ` in ${cluster}`}${relations[via]}`;
  const what = event === "updated" ? fieldsWords(change) : "";
  const writers = change.writers.flatMap((writer) => writerWords(writer, narrator) ?? []);
  const by = writers.length === 0 ? "" : `${what === "" ? " " : ", "}by ${writers.join(" and ")}`;
  const version = resourceVersion === "" || event === "deleted" ? "" : ` (version ${resourceVersion})`;
  return `${who} ${events[event]}${what}${by}${version}`;
}

const fieldsShown = 3;

function fieldsWords({ fields, fieldCount = 0 }: ChangeRecord): string {
  if (fields === undefined) return " (changed fields no longer known)";
  if (fieldCount === 0) return " in no relevant field";
  const shown = fields.slice(0, fieldsShown).map(fieldWords);
  const more = fieldCount - shown.length;
  return `: ${shown.join(", ")}${more === 0 ? "" : ` and ${more} more ${more === 1 ? "field" : "fields"}`}`;
}

function fieldWords({ path, before, after }: FieldChange): string {
  if (before === undefined) return `${path} set to ${after ?? ""}`;
  return after === undefined ? `${path} removed (was ${before})` : `${path} ${before} → ${after}`;
}

/** Returns the writer; undefined if unknown. */
function writerWords(writer: Writer, narrator: Narrator): string | undefined {
  switch (writer.type) {
    case "self": {
      const whose =
        writer.controller === narrator.controller
          ? writer.key === narrator.key
            ? ""
            : ` for ${writer.key}`
          : ` of ${writer.controller} for ${writer.key}`;
      return `us, in run ${writer.run}${whose}`;
    }
    case "manager":
      return `${writer.manager === "" ? "a manager without a name" : oneLine(writer.manager)}${writer.subresource === undefined ? "" : ` through ${writer.subresource}`}`;
    case "unknown":
    default:
      return undefined;
  }
}
