/** Order and numbers of revisions. */
import { compareBytes } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import type { RevisionView } from "./controller-revision.ts";

/** Sorts oldest first: by number, creation time and name. */
export function sortRevisions(revisions: readonly RevisionView[]): readonly RevisionView[] {
  return revisions.toSorted(
    (a, b) =>
      revisionNumber(a) - revisionNumber(b) || createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? ""),
  );
}

/** Returns the number after the highest; 1 for the first. */
export function nextRevision(revisions: readonly RevisionView[]): number {
  return Math.max(0, ...revisions.map(revisionNumber)) + 1;
}

/** Returns the revision number. One beyond 2^53 arrives as a bigint and is rounded; counting never gets there. */
export function revisionNumber({ revision }: { readonly revision: number | bigint }): number {
  return Number(revision);
}

const createdAt = ({ metadata }: RevisionView): number => timeMs(metadata.creationTimestamp) ?? 0;
