/**
 * A series of random histories on one server, and which situations they covered: histories that cover nothing prove nothing.
 *
 *     seeds → investigate → story of the first failure, or the situations that are missing
 */
import type { HistoryServer } from "./history-server.ts";
import type { History } from "./history.ts";
import type { PlanLength } from "./history-plan.ts";
import { investigate } from "./investigate.ts";

export interface BatchOptions {
  readonly firstSeed: number;
  readonly count: number;
  /** @default "long" */
  readonly length?: PlanLength;
}

export interface BatchResult {
  /** Of the first history that violates a guarantee; undefined if none does. */
  readonly story: string | undefined;
  /** Situations that no history contained. */
  readonly missing: readonly string[];
}

/** Situations that the histories must cover, or they prove nothing. */
const happenings: Readonly<Record<string, (history: History) => boolean>> = {
  "an object is deleted": ({ writes }) => writes.some(({ after }) => after === undefined),
  "a finalizer delays a deletion": ({ writes }) => writes.some(({ after }) => JSON.stringify(after ?? {}).includes("deletionTimestamp")),
  "requests for one object overlap": ({ operations }) =>
    operations.some(({ id, invoked, returned }) =>
      operations.some((other) => other.id === id && other.invoked < invoked && other.returned > invoked && returned < Infinity),
    ),
  "a write conflicts": ({ operations }) => operations.some(({ answer }) => answer?.reason === "Conflict"),
  "a client disconnects": ({ operations }) => operations.some(({ answer }) => answer === undefined),
  "a slow watcher receives several writes at once": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ revision, newest }) => newest > revision + 2)),
  "an object comes into a selector": ({ sessions, writes, base }) =>
    sessions.some(({ events }) =>
      events.some(
        ({ type, revision }) => type === "ADDED" && writes[revision - base.revision - 1]?.before !== undefined && revision > base.revision,
      ),
    ),
  "an object leaves a selector": ({ sessions, writes, base }) =>
    sessions.some(({ events }) =>
      events.some(({ type, revision }) => type === "DELETED" && writes[revision - base.revision - 1]?.after !== undefined),
    ),
  "a watch is read to its end": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "drained" && events.length > 2),
  "a resumed watch delivers events": ({ sessions }) =>
    sessions.some(({ asked = 0, wantsInitial, events }) => asked > 0 && !wantsInitial && events.some(({ type }) => type !== "BOOKMARK")),
  "a watch from now on delivers events": ({ sessions }) =>
    sessions.some(
      ({ asked, wantsInitial, events }) => asked === undefined && !wantsInitial && events.some(({ type }) => type !== "BOOKMARK"),
    ),
  "a watch starts with the current state": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ endsInitial }, index) => endsInitial && index > 0)),
  "a watch ends by itself": ({ sessions }) => sessions.some(({ end }) => end.kind === "closed"),
  "a watch is too old from the start": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "expired" && events.length === 0),
  "a watch falls behind while it is on": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "expired" && events.length > 0),
  "a bookmark is sent": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ type, endsInitial }) => type === "BOOKMARK" && !endsInitial)),
  "a list has pages": ({ lists }) => lists.some(({ pages }) => pages.length > 1),
  "a list is too old": ({ lists }) => lists.some(({ pages }) => pages.some(({ code }) => code === 410)),
};

/** Stops at the first violation. */
export async function runHistories(
  server: Pick<HistoryServer, "run">,
  { firstSeed, count, length = "long" }: BatchOptions,
): Promise<BatchResult> {
  const missing = new Set(Object.keys(happenings));
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { history, story } = await investigate(server, seed, length);
    if (story !== undefined) return { story, missing: [...missing] };
    for (const name of missing) if (happenings[name]?.(history) === true) missing.delete(name);
  }
  return { story: undefined, missing: [...missing] };
}
