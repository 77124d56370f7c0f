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

/** Returns the revision; 0 when it is missing, undefined when it is not a number of 64 bits. */
export function revisionOf({ metadata: { annotations = {} } }: ReplicaSetView): bigint | undefined {
  const text = getOwn(annotations, revisionAnnotation);
  return text === undefined ? 0n : parseRevision(text);
}

/** Returns the highest revision, or 0. Skips those that are not numbers. */
export function maxRevision(replicaSets: readonly ReplicaSetView[]): bigint {
  return replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0n).reduce((max, revision) => (revision > max ? revision : max), 0n);
}

/** Returns the revision after all of these. After the highest number comes the lowest, as in kube-controller-manager. */
export const nextRevision = (replicaSets: readonly ReplicaSetView[]): bigint => BigInt.asIntN(64, maxRevision(replicaSets) + 1n);

/** Returns the second highest revision, the one before the current; 0 without one. */
export function lastRevision(replicaSets: readonly ReplicaSetView[]): bigint {
  return replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0n).toSorted((a, b) => compareRevisions(b, a))[1] ?? 0n;
}

const compareRevisions = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Lowest revision first, then by age. */
export const byRevision: ReplicaSetOrder = (a, b) => {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined ? byCreation(a, b) : compareRevisions(first, second) || byCreation(a, b);
};

/**
 * Returns annotations with this revision when theirs is lower, and adds the old one to the history, dropping the oldest entries to
 * fit. Returns them unchanged when the old revision is not a number.
 */
export function withRevision(annotations: Annotations, revision: bigint): Annotations {
  const text = getOwn(annotations, revisionAnnotation);
  const before = text === undefined || text === "" ? 0n : parseRevision(text);
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

/** Undefined for what is not a number of 64 bits. */
export function parseRevision(text: string): bigint | undefined {
  const [, sign = "", digits] = /^([+-]?)0*([0-9]{1,19})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
