/**
 * Revisions of a Deployment's templates, kept as annotations of its ReplicaSets.
 *
 *     ReplicaSets → revisionOf, maxRevision, lastRevision;   withRevision: makes a ReplicaSet the newest (again)
 */
import { getOwn } from "@drover/machinery";
import { byCreation } from "../shared/replica-set-order.ts";
import type { ReplicaSetOrder, ReplicaSetView } from "../shared/replica-set-order.ts";
import { revisionAnnotation, revisionHistoryAnnotation } from "./deployment-annotations.ts";
import type { Annotations } from "./deployment-annotations.ts";

/** Maximum length of one ReplicaSet's history, in characters. */
const historyLengthMax = 2000;

/** Returns the revision; 0 when it is missing, undefined when it is not a number. */
export function revisionOf({ metadata: { annotations = {} } }: ReplicaSetView): number | undefined {
  const text = getOwn(annotations, revisionAnnotation);
  return text === undefined ? 0 : parseRevision(text);
}

/** Returns the highest revision, or 0. Skips those that are not numbers. */
export function maxRevision(replicaSets: readonly ReplicaSetView[]): number {
  return Math.max(0, ...replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0));
}

/** Returns the second highest revision, the one before the current; 0 without one. */
export function lastRevision(replicaSets: readonly ReplicaSetView[]): number {
  return replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0).toSorted((a, b) => b - a)[1] ?? 0;
}

/** Lowest revision first, then by age. */
export const byRevision: ReplicaSetOrder = (a, b) => {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined ? byCreation(a, b) : first - second || byCreation(a, b);
};

/**
 * Returns annotations with this revision when theirs is lower, and adds the old one to the history, dropping the oldest entries to
 * fit. Returns them unchanged when the old revision is not a number.
 */
export function withRevision(annotations: Annotations, revision: number): Annotations {
  const text = getOwn(annotations, revisionAnnotation);
  const before = text === undefined || text === "" ? 0 : parseRevision(text);
  if (before === undefined || before >= revision) return annotations;
  const raised = { ...annotations, [revisionAnnotation]: String(revision) };
  if (text === undefined) return raised;
  const history = withEntry(getOwn(annotations, revisionHistoryAnnotation) ?? "", text);
  return history === undefined ? raised : { ...raised, [revisionHistoryAnnotation]: history };
}

/** Undefined when the entry alone is too long. */
function withEntry(history: string, entry: string): string | undefined {
  const entries = history.split(",");
  if (entries[0] === "") return entry;
  let length = history.length + entry.length + 1;
  while (length > historyLengthMax && entries.length > 0) length -= (entries.shift() ?? "").length + 1;
  return length <= historyLengthMax ? [...entries, entry].join() : undefined;
}

function parseRevision(text: string): number | undefined {
  return /^[+-]?[0-9]{1,18}$/.test(text) ? Number(text) : undefined;
}
