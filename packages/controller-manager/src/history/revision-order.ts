/** Revisions in the order in which they were asked for. */
import { compareBytes } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import type { RevisionView } from "./controller-revision.ts";

/** The oldest first: by number, then by when they were created, then by name. */
export function sortRevisions(revisions: readonly RevisionView[]): readonly RevisionView[] {
  return revisions.toSorted(
    (a, b) =>
      revisionNumber(a) - revisionNumber(b) || createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? ""),
  );
}

/** The number after the highest; 1 for the first. */
export function nextRevision(revisions: readonly RevisionView[]): number {
  return Math.max(0, ...revisions.map(revisionNumber)) + 1;
}

/** Its number. One beyond 2^53 comes as a bigint, with which nothing here could calculate; so far nobody gets by counting. */
export function revisionNumber({ revision }: { readonly revision: number | bigint }): number {
  return Number(revision);
}

const createdAt = ({ metadata }: RevisionView): number => timeMs(metadata.creationTimestamp) ?? 0;
