/**
 * Where a watch may have started: at which revision, and how many of its events delivered the state there. If the request leaves
 * it to the server, there are several candidates, and one of them must explain all events.
 */
import type { WatchedEvent, WatchSession } from "./history.ts";
import type { Truth } from "./truth.ts";

export interface SessionStart {
  /** The first event is that of the first write after this revision. */
  readonly from: number;
  /** Events that deliver the state at `from`. */
  readonly initial: readonly WatchedEvent[];
  /** All other events, including bookmarks. */
  readonly live: readonly WatchedEvent[];
  /** Whether the whole state was delivered. */
  readonly isInitialWhole: boolean;
}

/** Returns every start that the request allows and the first events do not contradict. */
export function sessionStarts(session: WatchSession, truth: Truth): readonly SessionStart[] {
  const { events, asked, wantsInitial, floor, ceiling, newestAtEnd } = session;
  if (!wantsInitial && asked !== undefined && asked > 0) return [withoutInitial(session, asked)];
  // A watch from now on starts between its request and its response.
  if (!wantsInitial) return revisions(floor, ceiling).map((from) => withoutInitial(session, from));
  const lowest = asked === undefined ? floor : Math.max(asked, truth.oldest);
  const marker = events.findIndex(({ endsInitial }) => endsInitial);
  const { revision: from = 0 } = events[marker] ?? {};
  if (marker !== -1)
    return from < lowest ? [] : [{ from, initial: events.slice(0, marker), live: events.slice(marker), isInitialWhole: true }];
  // It still waits for a future state.
  if (events.length === 0 && lowest > newestAtEnd) return [{ ...withoutInitial(session, lowest), isInitialWhole: false }];
  return revisions(lowest, events[0]?.newest ?? newestAtEnd).flatMap((revision) => startAt(session, truth, revision) ?? []);
}

const withoutInitial = ({ events }: WatchSession, from: number): SessionStart => ({
  from,
  initial: [],
  live: events,
  isInitialWhole: true,
});

/** Returns the session as one that started with the state at `from`, if possible. */
function startAt({ events, scope, wantsBookmarks, end }: WatchSession, truth: Truth, from: number): SessionStart | undefined {
  const state = truth.stateAt(from, scope);
  const initial = events.slice(0, state.size);
  if (!initial.every(({ type, id, revision }) => type === "ADDED" && state.get(id)?.revision === revision)) return undefined;
  const live = events.slice(state.size);
  const isInitialWhole = initial.length === state.size;
  // With bookmarks, one would mark the end of the state; and a drained watch has delivered all of it.
  const isContradicted = (wantsBookmarks && (live.length > 0 || end.kind === "drained")) || (!isInitialWhole && end.kind === "drained");
  return isContradicted ? undefined : { from, initial, live, isInitialWhole };
}

const revisions = (low: number, high: number): readonly number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index);
