/**
 * Which versions are ours: what the server answered our writes with, and the run that wrote.
 *
 *     RunTape.call → OwnWrites.remember        OwnWrites.index → describeCause: was this version ours?
 */
import { compareResourceVersions } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { Ring } from "./ring.ts";
import type { CallRecord, RunRecord } from "./run-record.ts";

/** A run by its names. */
export interface RunName {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly run: string;
}

/** One write the server has confirmed. */
export interface OwnWrite extends RunName {
  readonly uid: string;
  /** Empty when the object is gone. */
  readonly resourceVersion: string;
  readonly isDeletion: boolean;
  /** The field manager it was sent under, when that is known. */
  readonly manager: string | undefined;
  /** When it was sent, on the clock of the runs. */
  readonly sentAt: number;
}

/** Own writes by the object they were made to, in the order in which they were made. */
export type OwnWriteIndex = ReadonlyMap<string, readonly OwnWrite[]>;

/** The newest own writes, apart from the runs: a run of a thousand writes has more of them than calls on the tape. */
export class OwnWrites {
  readonly #ring: Ring<OwnWrite>;

  constructor(writesMax: number) {
    this.#ring = new Ring(writesMax);
  }

  get size(): number {
    return this.#ring.size;
  }

  /** Takes note of a call if it wrote something; `startedAt` is when its run began, on the clock that changes are seen by. */
  remember({ controller, key, run }: RunName, { method, wrote, atMs }: CallRecord, startedAt: number): void {
    if (wrote === undefined || wrote.uid === "") return;
    const { uid, resourceVersion, manager } = wrote;
    this.#ring.push({ controller, key, run, uid, resourceVersion, isDeletion: method === "DELETE", manager, sentAt: startedAt + atMs });
  }

  /** The writes to the objects with these uids. */
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

/** The own writes that stand on records, for a tape that was read from lines. */
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

/** Which versions a change is about, and since when it has been known. */
export interface VersionSpan {
  readonly uid: string;
  readonly resourceVersion: string;
  /** The version that was known before; versions in between may have been merged. */
  readonly resourceVersionBefore?: string;
  /** No version was known before, so that every earlier one belongs to it. @default false */
  readonly isFirst?: boolean;
  /** The change was seen no later than this, on the clock of `sentAt`. */
  readonly seenAt: number;
  /** The run it is a cause of. */
  readonly run?: string;
}

/**
 * Our writes that led from one version to the other, the newest first, each version once. Never a write of another
 * object, nor one outside of
 * the span, nor one that was sent when the version was known already: a write that changes nothing is answered with the
 * version of somebody else.
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

/** What else is known of an object that is gone. */
export interface LastState {
  readonly isFinalStateUnknown: boolean;
  readonly isTerminating: boolean;
}

/** Our deletion that made an object go; undefined when it was not us, or nothing tells. */
export function ownDeletion(
  index: OwnWriteIndex,
  span: VersionSpan,
  { isFinalStateUnknown, isTerminating }: LastState,
): OwnWrite | undefined {
  const { uid, resourceVersion } = span;
  if (uid === "") return undefined;
  // A last state that was only found missing is an earlier version: that it is ours does not say who deleted it.
  const isLastVersion = (write: OwnWrite): boolean =>
    !isFinalStateUnknown && resourceVersion !== "" && write.resourceVersion === resourceVersion;
  // Whoever takes the last finalizer from a terminating object deletes it, by an update.
  const deletes = (write: OwnWrite): boolean =>
    write.isDeletion ? write.resourceVersion === "" || isLastVersion(write) : isTerminating && isLastVersion(write);
  return (index.get(uid) ?? []).find((write) => deletes(write) && isBefore(write, span));
}

const isBefore = (write: OwnWrite, { seenAt, run }: VersionSpan): boolean => write.sentAt <= seenAt && write.run !== run;
