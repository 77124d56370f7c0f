/**
 * Causes as the tape keeps them: complete while they are new, later without their objects.
 *
 *     Cause → boundedCauses → TapedRun → reducedCause, when newer ones need the memory
 */
import type { Change } from "@drover/cache";
import { valueSize } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { ChangeRecord } from "./run-record.ts";
import { ownText } from "./own-text.ts";

/** A change without its objects. */
export interface ReducedChange {
  readonly type: "reduced";
  readonly event: ChangeRecord["event"];
  readonly via: ChangeRecord["via"];
  readonly kind: GroupKind;
  readonly cluster: string;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly resourceVersionBefore: string | undefined;
  readonly isFinalStateUnknown: boolean;
}

export type KeptCause = Cause | ReducedChange;

const causesMax = 64;
const textMax = 1024;

/** Returns at most 64 causes with texts of at most 1,024 characters; usually the given list itself. */
export function boundedCauses(causes: readonly Cause[]): readonly Cause[] {
  return causes.length <= causesMax && !causes.some(hasLongText) ? causes : causes.slice(0, causesMax).map(withShortText);
}

function hasLongText(cause: Cause): boolean {
  if (cause.type === "retry") return cause.error.length > textMax;
  return (cause.type === "external" || cause.type === "enqueue") && cause.note !== undefined && cause.note.length > textMax;
}

function withShortText(cause: Cause): Cause {
  if (!hasLongText(cause)) return cause;
  if (cause.type === "retry") return { ...cause, error: ownText(cause.error, textMax) };
  return (cause.type === "external" || cause.type === "enqueue") && cause.note !== undefined
    ? { ...cause, note: ownText(cause.note, textMax) }
    : cause;
}

/** What a cause keeps beside its objects. */
const plainBytes = 128;
/** Larger objects are not measured further. */
const measuredMax = 16 * 2 ** 20;

/** Returns an estimate of the bytes that a cause keeps in memory. Measures objects only if their source does not know their size. */
export function causeBytes(cause: Cause): number {
  if (cause.type === "change") return plainBytes + (cause.change.bytes ?? measured(cause.change));
  return plainBytes;
}

function measured(change: Change): number {
  try {
    return valueSize(change.object, measuredMax) + (change.type === "updated" ? valueSize(change.before, measuredMax) : 0);
  } catch {
    // An object that cannot be parsed; the run reports it.
    return 0;
  }
}

/** Returns the cause without objects; only the versions of a change are kept. */
export function reducedCause(cause: KeptCause): KeptCause {
  if (cause.type !== "change") return cause;
  const { change, kind, via, cluster } = cause;
  return {
    type: "reduced",
    event: eventOf(change),
    via,
    kind,
    cluster,
    key: change.key,
    uid: change.uid,
    resourceVersion: versionOf(change),
    resourceVersionBefore: versionBefore(change),
    isFinalStateUnknown: change.type === "deleted" && change.isFinalStateUnknown,
  };
}

/** Returns the kind of event. */
export function eventOf(change: Change): ChangeRecord["event"] {
  if (change.type === "added") return change.isInInitialList ? "initial" : "added";
  return change.type === "updated" && change.isResync ? "resync" : change.type;
}

/** Returns the version that a change leads to, without parsing the object if possible. */
export function versionOf(change: Change): string {
  return change.resourceVersion ?? change.object.metadata.resourceVersion ?? "";
}

/** Returns the version before an update. */
export function versionBefore(change: Change): string | undefined {
  return change.type === "updated" && !change.isResync
    ? (change.resourceVersionBefore ?? change.before.metadata.resourceVersion)
    : undefined;
}

/** Returns the object of a cause; undefined if the cause has none. */
export function objectOf(cause: KeptCause): Pick<ReducedChange, "kind" | "key" | "via" | "uid"> | undefined {
  if (cause.type === "reduced") return cause;
  return cause.type === "change" ? { kind: cause.kind, key: cause.change.key, via: cause.via, uid: cause.change.uid } : undefined;
}
