/**
 * etcd's watch guarantees as nine checks of one session. With a selector they hold for the filtered history: an object that
 * starts or stops matching is created or deleted.
 *
 *     session, its start, truth → problems
 */
import { jsonEqual } from "@drover/machinery";
import type { WatchedEvent, WatchSession } from "./history.ts";
import type { SessionStart } from "./session-start.ts";
import type { Truth } from "./truth.ts";

/** Returns one sentence per violation. */
export type Guarantee = (session: WatchSession, start: SessionStart, truth: Truth) => readonly string[];

/** By etcd's names. */
export const watchGuarantees: Readonly<Record<string, Guarantee>> = {
  filter,
  ordered,
  unique,
  atomic,
  bookmarkable,
  resumable,
  reliable,
  isCreate,
  previousValue,
};

/** Delivers only events of the scope. */
function filter({ events, scope }: WatchSession): readonly string[] {
  return events
    .filter(({ type, id, content }) => type !== "BOOKMARK" && !scope.matches(id, content))
    .map((event) => `${tell(event)} is not in ${scope.text}`);
}

/** Revisions never decrease. */
function ordered(_session: WatchSession, { live }: SessionStart): readonly string[] {
  return live.flatMap((event, index) => {
    const before = live[index - 1];
    return before !== undefined && event.revision < before.revision ? [`${tell(event)} comes after ${tell(before)}`] : [];
  });
}

/** No event is delivered twice, not even after resuming. */
function unique(_session: WatchSession, { from, initial, live }: SessionStart): readonly string[] {
  const seen = new Set<string>();
  const twice = [...initial, ...live].filter(({ type, id, revision }) => {
    const key = `${id}@${revision}`;
    const isKnown = type !== "BOOKMARK" && seen.has(key);
    seen.add(key);
    return isKnown;
  });
  const old = live.filter(({ type, revision }) => type !== "BOOKMARK" && revision <= from);
  return [
    ...twice.map((event) => `${tell(event)} was told before`),
    ...old.map((event) => `${tell(event)} is from before the start at ${from}`),
  ];
}

/** Each revision is one event, and the initial state belongs to one revision. */
function atomic(
  { scope, wantsInitial }: WatchSession,
  { from, initial, live, isInitialWhole }: SessionStart,
  truth: Truth,
): readonly string[] {
  const owners = new Map<number, string>();
  const split = live.filter(({ type, id, revision }) => {
    if (type === "BOOKMARK") return false;
    const owner = owners.get(revision);
    owners.set(revision, id);
    return owner !== undefined && owner !== id;
  });
  const problems = split.map((event) => `${tell(event)} is not the only one of its revision`);
  if (!wantsInitial) return problems;
  const state = truth.stateAt(from, scope);
  const told = new Set(initial.map(({ id }) => id));
  for (const event of initial) {
    const version = state.get(event.id);
    const isTrue = event.type === "ADDED" && version?.revision === event.revision && jsonEqual(version.content, event.content);
    if (!isTrue) problems.push(`${tell(event)} is not part of the state at ${from}`);
  }
  if (isInitialWhole) for (const id of state.keys()) if (!told.has(id)) problems.push(`${id} is missing in the state at ${from}`);
  return problems;
}

/** A bookmark is correct: all earlier events were delivered, none follows later, and it is not in the future. */
function bookmarkable({ scope, wantsBookmarks }: WatchSession, { from, live }: SessionStart, truth: Truth): readonly string[] {
  return live.flatMap((bookmark, index) => {
    if (bookmark.type !== "BOOKMARK") return [];
    const problems = wantsBookmarks ? [] : [`${tell(bookmark)} was not asked for`];
    if (bookmark.revision > bookmark.newest) problems.push(`${tell(bookmark)} is ahead of the store at ${bookmark.newest}`);
    if (bookmark.revision < from) problems.push(`${tell(bookmark)} is from before the start at ${from}`);
    for (const late of live.slice(index + 1))
      if (late.type !== "BOOKMARK" && late.revision <= bookmark.revision) problems.push(`${tell(late)} comes after ${tell(bookmark)}`);
    const told = new Set(live.slice(0, index).map(({ revision }) => revision));
    for (const write of truth.expected(scope, from, bookmark.revision))
      if (!told.has(write.revision)) problems.push(`${tell(write)} is not told before ${tell(bookmark)}`);
    return problems;
  });
}

/** The first event is the first one after the start. */
function resumable({ scope }: WatchSession, { from, live }: SessionStart, truth: Truth): readonly string[] {
  const first = live.find(({ type }) => type !== "BOOKMARK");
  const [expected] = truth.expected(scope, from, Infinity);
  if (first === undefined || first.revision === expected?.revision) return [];
  return [`started at ${from} and began with ${tell(first)} instead of ${expected === undefined ? "nothing" : tell(expected)}`];
}

/** No event is lost, and a reader that keeps reading gets all of them. */
function reliable({ scope, end, newestAtEnd }: WatchSession, { from, live }: SessionStart, truth: Truth): readonly string[] {
  const told = new Set(live.filter(({ type }) => type !== "BOOKMARK").map(({ revision }) => revision));
  const last = Math.max(from, ...told);
  const through = end.kind === "drained" ? Math.max(last, newestAtEnd) : last;
  const gaps = truth.expected(scope, from, through).filter(({ revision }) => !told.has(revision));
  const made = live.filter(({ type, id, revision }) => type !== "BOOKMARK" && truth.at(revision)?.id !== id);
  return [...gaps.map((write) => `${tell(write)} was never told`), ...made.map((event) => `${tell(event)} never happened`)];
}

/** New objects are ADDED, known ones MODIFIED, removed ones DELETED. */
function isCreate({ scope }: WatchSession, { from, live }: SessionStart, truth: Truth): readonly string[] {
  const types = new Map(truth.expected(scope, from, Infinity).map(({ revision, type }) => [revision, type]));
  return live.flatMap((event) => {
    const type = types.get(event.revision);
    return event.type === "BOOKMARK" || type === undefined || type === event.type ? [] : [`${tell(event)} should be ${type}`];
  });
}

/** The object is the one that was written; a deletion has its last state. */
function previousValue({ scope }: WatchSession, { from, live }: SessionStart, truth: Truth): readonly string[] {
  const contents = new Map(truth.expected(scope, from, Infinity).map(({ revision, content }) => [revision, content]));
  return live.flatMap((event) => {
    const content = contents.get(event.revision);
    return event.type === "BOOKMARK" || content === undefined || jsonEqual(content, event.content)
      ? []
      : [`${tell(event)} has ${JSON.stringify(event.content)} instead of ${JSON.stringify(content)}`];
  });
}

const tell = ({ type, id, revision }: Pick<WatchedEvent, "type" | "id" | "revision">): string =>
  `${type}${id === "" ? "" : ` ${id}`} @${revision}`;
