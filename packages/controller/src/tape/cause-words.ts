/**
 * Causes in words.
 *
 *     CauseRecord → causeWords → "Deployment web/shop was updated: spec.replicas 2 → 3, by kubectl-edit (version 4711)"
 */
import { formatDuration } from "@drover/machinery";
import { oneLine } from "./one-line.ts";
import type { CauseRecord, ChangeRecord, FieldChange, RunRecord, Writer } from "./run-record.ts";

/** Whose run it is: what the same controller did is told more shortly. */
export type Narrator = Pick<RunRecord, "controller" | "key">;

/** One cause, as half of a sentence that begins with "because". */
export function causeWords(cause: CauseRecord, narrator: Narrator): string {
  switch (cause.type) {
    case "change":
      return changeWords(cause, narrator);
    case "timer":
      return `the time of the timer ${oneLine(cause.source)} had come`;
    case "external":
      return `something came from ${oneLine(cause.source)}${noteWords(cause.note)}`;
    case "after":
      return `run ${cause.run} asked to look again after ${formatDuration(cause.afterMs)}`;
    case "retry":
      return `retry ${cause.attempt}: run ${cause.run} ${cause.isConflict ? "met a conflict" : "failed"}: ${oneLine(cause.error)}`;
    case "enqueue":
    default: {
      const { parent } = cause;
      return `${parent === undefined ? "the program asked for it" : `run ${parent.run} of ${parent.controller} for ${parent.key} asked for it`}${noteWords(cause.note)}`;
    }
  }
}

const noteWords = (note: string | undefined): string => (note === undefined ? "" : `: ${oneLine(note)}`);

const relations: Readonly<Record<ChangeRecord["via"], string>> = { self: "", owner: " (owned)", mapped: " (related)" };
const events: Readonly<Record<ChangeRecord["event"], string>> = {
  added: "was created",
  updated: "was updated",
  deleted: "was deleted",
  initial: "was there from the start",
  resync: "was looked at again",
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
  if (fields === undefined) return ", but in which fields is no longer known";
  if (fieldCount === 0) return " in no field that counts";
  const shown = fields.slice(0, fieldsShown).map(fieldWords);
  const more = fieldCount - shown.length;
  return `: ${shown.join(", ")}${more === 0 ? "" : ` and ${more} more ${more === 1 ? "field" : "fields"}`}`;
}

function fieldWords({ path, before, after }: FieldChange): string {
  if (before === undefined) return `${path} set to ${after ?? ""}`;
  return after === undefined ? `${path} removed (was ${before})` : `${path} ${before} → ${after}`;
}

/** Who wrote; undefined when nothing tells. */
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
