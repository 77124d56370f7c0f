/**
 * Turns a kept cause into a record: which fields changed, and who wrote them.
 *
 *     KeptCause, own writes → describeCause → CauseRecord
 */
import type { Change } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import type { Manager } from "@drover/machinery";
import type { WatchCause } from "../causes/cause.ts";
import { fieldChanges } from "./field-changes.ts";
import type { FieldChanges } from "./field-changes.ts";
import { eventOf, versionBefore, versionOf } from "./kept-cause.ts";
import type { KeptCause, ReducedChange } from "./kept-cause.ts";
import { creatorOf, isTraced, managersOf } from "./managers-of.ts";
import { ownDeletion, ownWritesWithin } from "./own-writes.ts";
import type { LastState, OwnWrite, OwnWriteIndex, VersionSpan } from "./own-writes.ts";
import type { CauseRecord, ChangeRecord, Writer } from "./run-record.ts";

/** The run whose cause is described: writes sent after the change was seen cannot have caused it. */
export type Witness = Pick<VersionSpan, "seenAt" | "run">;

/** Returns a cause as data. Never throws: an object that cannot be parsed gives an unknown writer. */
export function describeCause(cause: KeptCause, own: OwnWriteIndex, witness: Witness): CauseRecord {
  if (cause.type === "reduced") return describeReduced(cause, own, witness);
  if (cause.type !== "change") return cause;
  const { change, kind, via, cluster } = cause;
  const about = {
    event: eventOf(change),
    via,
    kind,
    cluster,
    key: change.key,
    uid: change.uid,
    resourceVersion: versionOf(change),
    resourceVersionBefore: versionBefore(change),
  };
  try {
    return describeChange(cause, record(about), own, { ...spanOf(about), ...witness });
  } catch {
    // The object, parsed only now, is not valid.
    return { ...record(about), writers: [unknown] };
  }
}

const unknown: Writer = Object.freeze({ type: "unknown" });

type About = Omit<ReducedChange, "type" | "isFinalStateUnknown">;

function record({ event, via, kind, cluster, key, uid, resourceVersion, resourceVersionBefore }: About): Omit<ChangeRecord, "writers"> {
  const { group, kind: name } = kind;
  return {
    type: "change",
    event,
    via,
    kind: { group, kind: name },
    cluster,
    key,
    uid,
    resourceVersion,
    ...definedOnly({ resourceVersionBefore }),
  };
}

const spanOf = ({ event, uid, resourceVersion, resourceVersionBefore }: About): Omit<VersionSpan, "seenAt"> => ({
  uid,
  resourceVersion,
  isFirst: event === "added",
  ...definedOnly({ resourceVersionBefore }),
});

function describeReduced(cause: ReducedChange, own: OwnWriteIndex, witness: Witness): ChangeRecord {
  const { event, isFinalStateUnknown } = cause;
  const span = { ...spanOf(cause), ...witness };
  if (isNoNews(event)) return { ...record(cause), writers: [] };
  const writers =
    event === "deleted"
      ? deletedBy(own, span, { isFinalStateUnknown, isTerminating: false })
      : writtenBy(ownWritesWithin(own, span), span, [], undefined);
  return { ...record(cause), writers };
}

function describeChange(
  { change, kind }: WatchCause,
  about: Omit<ChangeRecord, "writers">,
  own: OwnWriteIndex,
  span: VersionSpan,
): ChangeRecord {
  const changes: FieldChanges =
    change.type === "updated" && !change.isResync ? fieldChanges(change.before, change.object, { kind }) : { fields: [], count: 0 };
  return {
    ...about,
    fields: changes.fields,
    fieldCount: changes.count,
    writers: isNoNews(about.event) ? [] : writersOf(change, changes, own, span),
  };
}

/** Whether the event is not a write: the first list or a resync. */
const isNoNews = (event: ChangeRecord["event"]): boolean => event === "initial" || event === "resync";

/** Returns the writers of a change. */
function writersOf(change: Change, changes: FieldChanges, own: OwnWriteIndex, span: VersionSpan): readonly Writer[] {
  if (change.type === "deleted") {
    return deletedBy(own, span, {
      isFinalStateUnknown: change.isFinalStateUnknown,
      isTerminating: change.object.metadata.deletionTimestamp !== undefined,
    });
  }
  const creator = change.type === "added" ? creatorOf(change.object) : undefined;
  const writes = ownWritesWithin(own, span);
  // Without a trace in managedFields only the version tells: the server returned it to us before any watch delivered it.
  const exact =
    change.type === "updated" && !isTraced(change.before, change.object)
      ? writes.find(({ resourceVersion }) => resourceVersion === span.resourceVersion)
      : undefined;
  if (exact !== undefined) return [self(exact)];
  const managers = change.type === "updated" ? managersOf(change.before, change.object) : creator === undefined ? [] : [creator];
  return writtenBy(writes, span, managers, change.type === "updated" ? changes : undefined);
}

function deletedBy(own: OwnWriteIndex, span: VersionSpan, last: LastState): readonly Writer[] {
  const deletion = ownDeletion(own, span, last);
  return [deletion === undefined ? unknown : self(deletion)];
}

/**
 * Recognises our writes by their versions and other writers by their fields. A manager may be one of ours under its name on the server, so
 * if we wrote as well, managers are named only when our writes are known to have used other names.
 */
function writtenBy(
  writes: readonly OwnWrite[],
  { resourceVersion }: VersionSpan,
  managers: readonly Manager[],
  changes: FieldChanges | undefined,
): readonly Writer[] {
  const isOurs = ({ manager }: Manager): boolean => writes.some((write) => write.manager === manager);
  // If everything that changed belongs to others, our write got the version of another writer in response: it changed nothing, or was
  // overwritten.
  const isWithoutTrace = managers.length > 0 && changes !== undefined && !mayHaveRemovals(changes);
  const ours = writes.filter(
    (write) => write.manager === undefined || !isWithoutTrace || managers.some(({ manager }) => manager === write.manager),
  );
  const others = writes.every((write) => write.manager !== undefined) ? managers.filter((manager) => !isOurs(manager)) : [];
  const isExplained = others.length > 0 || ours.some((write) => write.resourceVersion === resourceVersion);
  return [...unique(ours.map(self)), ...others.map(byManager), ...(isExplained ? [] : [unknown])];
}

const mayHaveRemovals = ({ fields, count }: FieldChanges): boolean =>
  count > fields.length || fields.some(({ after }) => after === undefined);

const self = ({ controller, key, run }: OwnWrite): Writer => ({ type: "self", controller, key, run });

function unique(writers: readonly Writer[]): readonly Writer[] {
  return writers.filter(
    (writer, index) => writers.findIndex((other) => writer.type === "self" && other.type === "self" && other.run === writer.run) === index,
  );
}

function byManager({ manager, operation, subresource, time }: Manager): Writer {
  return { type: "manager", manager, operation, ...(subresource === "" ? {} : { subresource }), ...definedOnly({ time }) };
}
