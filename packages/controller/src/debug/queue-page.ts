/**
 * The keys in the queues, those with problems first.
 *
 *     Controller.inspectAll → queuePage → DebugQueue
 */
import { definedOnly } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { Cause } from "../causes/cause.ts";
import { causeWords } from "../tape/cause-words.ts";
import { describeCause } from "../tape/describe-cause.ts";
import { oneLine } from "../tape/one-line.ts";
import type { CauseRecord } from "../tape/run-record.ts";
import { dueCauses } from "../tape/why.ts";
import { DebugProblem } from "./debug-problem.ts";
import type { DebugSubject } from "./debug-subject.ts";
import { fitting } from "./fitting.ts";

/** A key in a queue. */
export interface QueueRow extends Pick<KeyReport<ObjectKey, Cause>, "key" | "state" | "again" | "attempts" | "priority"> {
  readonly controller: string;
  /** Milliseconds in this state. */
  readonly forMs: number;
  /** Milliseconds until its next run; absent if none is pending. */
  readonly dueInMs?: number;
  readonly causes: readonly CauseRecord[];
  /** The causes in words. */
  readonly because: readonly string[];
  /** Number of causes, including those not listed. */
  readonly causeCount: number;
  /** Why the last run failed; absent if it did not. */
  readonly error?: string;
}

/** The answer of /debug/drover/queue. */
export interface DebugQueue {
  readonly at: number;
  readonly keys: readonly QueueRow[];
  /** Number of keys that are not listed. */
  readonly leftOff: number;
}

type Entry = readonly [controller: DebugSubject["controllers"][number], report: KeyReport<ObjectKey, Cause>];

/** Returns at most `limit` keys: parked, failing, running, ready, then by due time. */
export function queuePage(subject: DebugSubject, query: URLSearchParams, limit: number): DebugQueue {
  const named = query.get("controller");
  const chosen = subject.controllers.filter(({ controller }) => named === null || controller.name === named);
  if (named !== null && chosen.length === 0)
    throw new DebugProblem(
      400,
      `${subject.name} has no controller ${JSON.stringify(named.slice(0, 100))}`,
      `one of ${subject.controllers.map(({ controller }) => controller.name).join(", ")}`,
    );
  const entries = chosen
    .flatMap((each) => each.controller.inspectAll().map((report): Entry => [each, report]))
    .filter(([, { state }]) => state !== "idle")
    .toSorted(([, left], [, right]) => rank(left) - rank(right) || (left.nextRunInMs ?? 0) - (right.nextRunInMs ?? 0));
  const listed = entries.slice(0, limit);
  // In one call, because describing searches the tape for own writes.
  const described = describeAll(
    subject,
    listed.map(([, report]) => dueCauses(report)),
  );
  const { items, leftOff } = fitting([...listed.entries()], ([index, entry]) => rowOf(entry, described[index] ?? []));
  return { at: subject.clock.now(), keys: items, leftOff: leftOff + Math.max(0, entries.length - limit) };
}

function describeAll({ tape }: DebugSubject, lists: readonly (readonly Cause[])[]): readonly (readonly CauseRecord[])[] {
  const all = lists.flat();
  const records = tape?.describe(all) ?? all.map((cause) => describeCause(cause, new Map(), { seenAt: Infinity }));
  let from = 0;
  return lists.map(({ length }) => {
    from += length;
    return records.slice(from - length, from);
  });
}

function rank({ state, attempts }: Entry[1]): number {
  if (state === "parked") return 0;
  if (attempts > 0) return 1;
  return state === "running" ? 2 : state === "ready" ? 3 : 4;
}

function rowOf([{ controller }, report]: Entry, causes: readonly CauseRecord[]): QueueRow {
  const { key, state, again, attempts, priority, ageMs, nextRunInMs, reason, causeCount } = report;
  return {
    controller: controller.name,
    key,
    state,
    attempts,
    priority,
    forMs: Math.round(ageMs),
    causes,
    causeCount: causeCount - (report.causes.length - causes.length),
    because: causes.map((cause) => causeWords(cause, { controller: controller.name, key })),
    ...definedOnly({
      again,
      dueInMs: nextRunInMs === undefined ? undefined : Math.round(nextRunInMs),
      error: reason === undefined ? undefined : oneLine(reason),
    }),
  };
}
