/**
 * Templates of a Deployment are numbered; the number is on the ReplicaSet.
 *
 *     ReplicaSets → revisionOf, maxRevision, lastRevision;   withRevision: a ReplicaSet becomes the newest (again)
 */
import { getOwn } from "@drover/machinery";
import { byCreation } from "../shared/replica-set-order.ts";
import type { ReplicaSetOrder, ReplicaSetView } from "../shared/replica-set-order.ts";
import { revisionAnnotation, revisionHistoryAnnotation } from "./deployment-annotations.ts";
import type { Annotations } from "./deployment-annotations.ts";

/** How long the history of one ReplicaSet may become, in characters. */
const historyLengthMax = 2000;

/** The revision; 0 where there is none, undefined where it is no number. */
export function revisionOf({ metadata: { annotations = {} } }: ReplicaSetView): number | undefined {
  const text = getOwn(annotations, revisionAnnotation);
  return text === undefined ? 0 : parseRevision(text);
}

/** The highest; 0 of none. Those that are no numbers are passed over. */
export function maxRevision(replicaSets: readonly ReplicaSetView[]): number {
  return Math.max(0, ...replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0));
}

/** The second highest, which is the one before the present one; 0 when there is none. */
export function lastRevision(replicaSets: readonly ReplicaSetView[]): number {
  return replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0).toSorted((a, b) => b - a)[1] ?? 0;
}

/** The lowest revision first, by age where that says nothing. */
export const byRevision: ReplicaSetOrder = (a, b) => {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined ? byCreation(a, b) : first - second || byCreation(a, b);
};

/**
 * The annotations with this revision, when the one they have is lower; that one is then added to the history, whose
 * oldest entries make room.
 * Unchanged when what is there is no number.
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

/** Undefined when the entry has no room even by itself. */
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
