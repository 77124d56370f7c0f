/**
 * Remembers the versions that our own writes produced, and the runs that wrote them.
 *
 *     RunTape.call → OwnWrites.remember        OwnWrites.index → describeCause: was this version ours?
 */
import { compareResourceVersions } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { Ring } from "./ring.ts";
import type { CallRecord, RunRecord } from "./run-record.ts";

/** Identifies a run. */
export interface RunName {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly run: string;
}

/** One write that the server has confirmed. */
export interface OwnWrite extends RunName {
  readonly uid: string;
  /** Empty if the object is gone. */
  readonly resourceVersion: string;
  readonly isDeletion: boolean;
  /** Field manager of the request, if known. */
  readonly manager: string | undefined;
  /** Time of sending, on the clock of the runs. */
  readonly sentAt: number;
}

/** Own writes by the uid of their object, in order. */
export type OwnWriteIndex = ReadonlyMap<string, readonly OwnWrite[]>;

/** The newest own writes. Kept apart from the runs, because a run may have more writes than the tape keeps calls. */
export class OwnWrites {
  readonly #ring: Ring<OwnWrite>;

  constructor(writesMax: number) {
    this.#ring = new Ring(writesMax);
  }

  get size(): number {
    return this.#ring.size;
  }

  /** Remembers a call if it wrote something; `startedAt` is the start of its run, on the clock of the changes. */
  remember({ controller, key, run }: RunName, { method, wrote, atMs }: CallRecord, startedAt: number): void {
    if (wrote === undefined || wrote.uid === "") return;
    const { uid, resourceVersion, manager } = wrote;
    this.#ring.push({ controller, key, run, uid, resourceVersion, isDeletion: method === "DELETE", manager, sentAt: startedAt + atMs });
  }

  /** Returns the writes to objects with these uids. */
  index(uids: ReadonlySet<string>): OwnWriteIndex {
    const index = new Map<string, OwnWrite[]>();
    for (const write of this.#ring.items()) {
      if (!uids.has(write.uid)) continue;
      const same = index.get(write.uid);
      if (same === undefined) index.set(write.uid, [write]);
      else same.push(write);
    }
    return index;
  }
}

/** Returns the own writes in records, for a tape that was read from lines. */
export function ownWritesOf(runs: readonly RunRecord[]): OwnWriteIndex {
  const writes = new OwnWrites(
    Math.max(
      1,
      runs.reduce((sum, { calls }) => sum + calls.length, 0),
    ),
  );
  for (const record of runs) for (const call of record.calls) writes.remember(record, call, record.startedAt);
  return writes.index(new Set(runs.flatMap(({ calls }) => calls.flatMap(({ wrote }) => wrote?.uid ?? []))));
}

/** The versions of a change, and when it was seen. */
export interface VersionSpan {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Previously known version; versions in between may have been merged. */
  readonly resourceVersionBefore?: string;
  /** Whether no version was known before, so that all earlier ones belong to it. @default false */
  readonly isFirst?: boolean;
  /** Latest time at which the change was seen, on the clock of `sentAt`. */
  readonly seenAt: number;
  /** The run that it caused. */
  readonly run?: string;
}

/**
 * Returns our writes that led from one version to the other, newest first, each version once. Excludes writes sent after the version was
 * known: a write that changes nothing returns the version of another writer.
 */
export function ownWritesWithin(index: OwnWriteIndex, span: VersionSpan): readonly OwnWrite[] {
  const { uid, resourceVersion, resourceVersionBefore, isFirst = false } = span;
  if (uid === "" || resourceVersion === "") return [];
  const isAfterBefore = (version: string): boolean =>
    isFirst || (resourceVersionBefore !== undefined && compareResourceVersions(version, resourceVersionBefore) === 1);
  const isWithin = (version: string): boolean =>
    version === resourceVersion || (isAfterBefore(version) && compareResourceVersions(version, resourceVersion) === -1);
  const first = new Map<string, OwnWrite>();
  for (const write of index.get(uid) ?? []) {
    if (write.resourceVersion !== "" && isWithin(write.resourceVersion) && isBefore(write, span) && !first.has(write.resourceVersion))
      first.set(write.resourceVersion, write);
  }
  return [...first.values()].toReversed();
}

/** What else is known of a deleted object. */
export interface LastState {
  readonly isFinalStateUnknown: boolean;
  readonly isTerminating: boolean;
}

/** Returns our write that deleted an object; undefined if it was another writer or is unknown. */
export function ownDeletion(
  index: OwnWriteIndex,
  span: VersionSpan,
  { isFinalStateUnknown, isTerminating }: LastState,
): OwnWrite | undefined {
  const { uid, resourceVersion } = span;
  if (uid === "") return undefined;
  // If the deletion was noticed only by a relist, the last known state is an earlier version: that it is ours does not tell who deleted it.
  const isLastVersion = (write: OwnWrite): boolean =>
    !isFinalStateUnknown && resourceVersion !== "" && write.resourceVersion === resourceVersion;
  // Removing the last finalizer of a terminating object, by an update, deletes it.
  const deletes = (write: OwnWrite): boolean =>
    write.isDeletion ? write.resourceVersion === "" || isLastVersion(write) : isTerminating && isLastVersion(write);
  return (index.get(uid) ?? []).find((write) => deletes(write) && isBefore(write, span));
}

const isBefore = (write: OwnWrite, { seenAt, run }: VersionSpan): boolean => write.sentAt <= seenAt && write.run !== run;
