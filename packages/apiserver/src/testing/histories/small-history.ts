/** Small histories for tests of the checks. */
import type { JsonObject } from "@drover/machinery";
import type { Operation, OperationAnswer, Scope, Version, WatchedEvent, WatchSession, Write } from "./history.ts";
import { Truth } from "./truth.ts";

/** Matches everything. */
export const everything: Scope = { text: "everything", matches: () => true };
export const web: Scope = { text: "app=web", matches: (_id, object) => JSON.stringify(object).includes('"app":"web"') };

/** An object with a text value and optional label and finalizers. */
export function content(
  text: string,
  {
    app,
    finalizers = [],
    isBeingDeleted = false,
  }: { readonly app?: string; readonly finalizers?: readonly string[]; readonly isBeingDeleted?: boolean } = {},
): JsonObject {
  const metadata: JsonObject = {
    uid: "u",
    ...(app === undefined ? {} : { labels: { app } }),
    ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
    ...(isBeingDeleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
  };
  return { data: { text }, metadata };
}

export const version = (revision: number, of: JsonObject): Version => ({ revision, content: of });

/** The first write has revision 11. */
export function truthOf(...writes: readonly (readonly [id: string, after: JsonObject | undefined])[]): Truth {
  const state = new Map<string, JsonObject>();
  const done = writes.map(([id, after], index): Write => {
    const before = state.get(id);
    if (after === undefined) state.delete(id);
    else state.set(id, after);
    return { revision: 11 + index, id, before, after };
  });
  return new Truth({ base: { revision: 10, versions: new Map() }, writes: done });
}

export function event(
  type: WatchedEvent["type"],
  id: string,
  revision: number,
  of: JsonObject = {},
  { endsInitial = false, newest = 99 }: Partial<WatchedEvent> = {},
): WatchedEvent {
  return { type, id, revision, content: of, endsInitial, newest, tick: 0 };
}

export function session(events: readonly WatchedEvent[], facts: Partial<WatchSession> = {}): WatchSession {
  return {
    name: "watcher 0, session 1",
    path: "/",
    scope: everything,
    asked: 10,
    wantsInitial: false,
    wantsBookmarks: true,
    floor: 10,
    ceiling: 10,
    compactedAtStart: 1,
    events,
    end: { kind: "drained" },
    newestAtEnd: 99,
    invoked: 0,
    returned: 0,
    ...facts,
  };
}

/** A request between two ticks. */
export function operation(
  verb: Operation["verb"],
  [invoked, returned]: readonly [number, number],
  answer: OperationAnswer | undefined,
  facts: Partial<Operation> = {},
): Operation {
  return { client: "client 0", id: "a", verb, expected: undefined, wish: undefined, invoked, returned, answer, ...facts };
}

export const answer = (code: number, of?: Version, reason = ""): OperationAnswer => ({ code, reason, version: of });
