/**
 * A run without what differs between any two processes: ids, versions, times and durations.
 *
 *     RunRecord → runShape → causes, writes and result as comparable words
 */
import { causeWords } from "@drover/controller";
import type { CallRecord, CauseRecord, ResultRecord, RunRecord } from "@drover/controller";
import { formatDuration } from "@drover/machinery";

/** What is compared of a run. */
export interface RunShape {
  /** Sorted, because their order depends on timing. */
  readonly because: readonly string[];
  /** Requests that are no reads, in order. */
  readonly did: readonly string[];
  readonly result: string;
}

/** Returns the shape. */
export function runShape(run: RunRecord): RunShape {
  return {
    because: [...new Set(run.causes.map((cause) => masked(causeText(cause, run))))].toSorted(),
    did: run.calls.filter(({ method }) => method !== "GET").map((call) => masked(callText(call))),
    result: masked(run.result === undefined ? "still running" : resultText(run.result)),
  };
}

/** Values that no two processes share: uids, times, and the ids of runs. */
function masked(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, "(uid)")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "(time)");
}

function causeText(cause: CauseRecord, { controller, key }: RunRecord): string {
  switch (cause.type) {
    case "change": {
      const fields = cause.fields?.filter(({ path }) => path !== "metadata.resourceVersion" && path !== "metadata.generation");
      const writers = cause.writers.map((writer) => (writer.type === "self" ? { ...writer, run: "(run)" } : writer));
      const { resourceVersionBefore: _, ...rest } = cause;
      return causeWords({ ...rest, resourceVersion: "", writers, ...(fields === undefined ? {} : { fields }) }, { controller, key });
    }
    case "after":
      return `requested after ${formatDuration(cause.afterMs)}`;
    case "retry":
      return `retry ${cause.attempt}: ${cause.error}`;
    case "enqueue":
      return causeWords(cause.parent === undefined ? cause : { ...cause, parent: { ...cause.parent, run: "(run)" } }, { controller, key });
    case "timer":
    case "external":
    default:
      return causeWords(cause, { controller, key });
  }
}

const callText = ({ method, path, status, error }: CallRecord): string =>
  `${method} ${path} ${status ?? "without a response"}${error === undefined ? "" : `: ${error}`}`;

function resultText(result: ResultRecord): string {
  switch (result.type) {
    case "done":
      return "done";
    case "after":
      return `again in ${formatDuration(result.afterMs)}`;
    case "retry":
      return `${result.isConflict ? "had a conflict" : "failed"}${result.parked === true ? ", parked" : ""}: ${result.error}`;
    case "stop":
      return `stopped: ${result.reason}`;
    case "abandoned":
    default:
      return `abandoned: ${result.reason}`;
  }
}
