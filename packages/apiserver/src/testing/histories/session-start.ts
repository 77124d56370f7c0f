/**
 * Where a watch may have begun: at which revision, and how many of its events told the state there. A request often leaves that to the
 * server; then there are several answers, and one of them has to explain everything that was seen.
 */
import type { WatchedEvent, WatchSession } from "./history.ts";
import type { Truth } from "./truth.ts";

export interface SessionStart {
  /** The first write it tells of is the first one after this. */
  readonly from: number;
  /** Those that tell the state at `from`. */
  readonly initial: readonly WatchedEvent[];
  /** All others, bookmarks too. */
  readonly live: readonly WatchedEvent[];
  /** Whether the whole state has been told. */
  readonly isInitialWhole: boolean;
}

/** Every beginning that was allowed and that the first events do not contradict. */
export function sessionStarts(session: WatchSession, truth: Truth): readonly SessionStart[] {
  const { events, asked, wantsInitial, floor, ceiling, newestAtEnd } = session;
  if (!wantsInitial && asked !== undefined && asked > 0) return [withoutInitial(session, asked)];
  // "From now on": now is some time between the question and the answer.
  if (!wantsInitial) return revisions(floor, ceiling).map((from) => withoutInitial(session, from));
  const lowest = asked === undefined ? floor : Math.max(asked, truth.oldest);
  const marker = events.findIndex(({ endsInitial }) => endsInitial);
  const { revision: from = 0 } = events[marker] ?? {};
  if (marker !== -1)
    return from < lowest ? [] : [{ from, initial: events.slice(0, marker), live: events.slice(marker), isInitialWhole: true }];
  // It still waits for a state that is to come.
  if (events.length === 0 && lowest > newestAtEnd) return [{ ...withoutInitial(session, lowest), isInitialWhole: false }];
  return revisions(lowest, events[0]?.newest ?? newestAtEnd).flatMap((revision) => startAt(session, truth, revision) ?? []);
}

const withoutInitial = ({ events }: WatchSession, from: number): SessionStart => ({
  from,
  initial: [],
  live: events,
  isInitialWhole: true,
});

/** The session as one that began with the state at `from`, if it can have been one. */
function startAt({ events, scope, wantsBookmarks, end }: WatchSession, truth: Truth, from: number): SessionStart | undefined {
  const state = truth.stateAt(from, scope);
  const initial = events.slice(0, state.size);
  if (!initial.every(({ type, id, revision }) => type === "ADDED" && state.get(id)?.revision === revision)) return undefined;
  const live = events.slice(state.size);
  const isInitialWhole = initial.length === state.size;
  // With bookmarks there would have been one that says so; and who reads to the end gets the whole state.
  const isContradicted = (wantsBookmarks && (live.length > 0 || end.kind === "drained")) || (!isInitialWhole && end.kind === "drained");
  return isContradicted ? undefined : { from, initial, live, isInitialWhole };
}

const revisions = (low: number, high: number): readonly number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index);
