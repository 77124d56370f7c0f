/**
 * What was seen of one run of the server by those who used it, and what really happened in the store: everything the checks look at.
 *
 *     plan → run → History → checks → violations
 */
import type { JsonObject } from "@drover/machinery";

/** An object at one revision; `content` is all of it except kind, apiVersion and resourceVersion. */
export interface Version {
  readonly revision: number;
  readonly content: JsonObject;
}

/** One write as the store did it. Objects are named by collection, namespace and name: "configmaps/blue/x". */
export interface Write {
  readonly revision: number;
  readonly id: string;
  /** Undefined when it was not there. */
  readonly before: JsonObject | undefined;
  /** Undefined when it was deleted. */
  readonly after: JsonObject | undefined;
}

/** What a list or a watch is about. */
export interface Scope {
  /** For people: "configmaps in blue, app=web". */
  readonly text: string;
  readonly matches: (id: string, content: JsonObject) => boolean;
}

export interface WatchedEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** "" for a bookmark. */
  readonly id: string;
  readonly revision: number;
  readonly content: JsonObject;
  /** Whether this bookmark says that the present state has been told. */
  readonly endsInitial: boolean;
  /** The newest revision of the store when this was read. */
  readonly newest: number;
  /** When it was read. */
  readonly tick: number;
}

export type SessionEnd =
  /** It was read until nothing more came, and was still on. */
  | { readonly kind: "drained" }
  /** The watcher did not want any more. */
  | { readonly kind: "stopped" }
  /** The server ended it without an error. */
  | { readonly kind: "closed" }
  /** 410; `compacted` is the oldest revision the store remembered when this was read. */
  | { readonly kind: "expired"; readonly compacted: number }
  | { readonly kind: "failed"; readonly code: number; readonly message: string };

/** One watch request and what came of it. */
export interface WatchSession {
  /** "watcher 2, session 3" */
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
  /** Undefined when the request named none; 0 is "any". */
  readonly asked: number | undefined;
  /** Whether the present state is to come first. */
  readonly wantsInitial: boolean;
  readonly wantsBookmarks: boolean;
  /** The newest revision when it was asked for. */
  readonly floor: number;
  /** The newest revision when the answer's head was there. */
  readonly ceiling: number;
  /** The oldest revision that was remembered when it was asked for. */
  readonly compactedAtStart: number;
  readonly events: readonly WatchedEvent[];
  readonly end: SessionEnd;
  readonly newestAtEnd: number;
  /** When it was asked for, and when it was over. */
  readonly invoked: number;
  readonly returned: number;
}

export interface ListPage {
  readonly code: number;
  readonly revision: number;
  readonly items: readonly { readonly id: string; readonly version: Version }[];
  readonly hasMore: boolean;
  readonly remaining: number | undefined;
  /** The oldest revision that was remembered before the page was asked for and after it was there. */
  readonly compacted: readonly [before: number, after: number];
}

/** One list in as many requests as it took. */
export interface ListRecord {
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
  readonly isUnfiltered: boolean;
  readonly mode: "latest" | "not-older-than" | "exact";
  /** 0 with "latest". */
  readonly asked: number;
  readonly floor: number;
  readonly newestAtEnd: number;
  readonly pages: readonly ListPage[];
  readonly invoked: number;
  readonly returned: number;
}

/** What a write asks for; undefined leaves alone what is there. */
export interface Wish {
  readonly data: Readonly<Record<string, string>>;
  /** A patch takes a label off with null. */
  readonly labels: Readonly<Record<string, string | null>> | undefined;
  readonly finalizers: readonly string[] | undefined;
}

/** One request about one object. */
export interface Operation {
  /** "client 1" */
  readonly client: string;
  readonly id: string;
  readonly verb: "get" | "create" | "put" | "patch" | "dry-patch" | "delete";
  /** The version it insists on. */
  readonly expected: number | undefined;
  /** Undefined for a get and a deletion. */
  readonly wish: Wish | undefined;
  readonly invoked: number;
  /** Infinity when the client never learned what became of it. */
  readonly returned: number;
  readonly answer: OperationAnswer | undefined;
}

export interface OperationAnswer {
  readonly code: number;
  readonly reason: string;
  /** Where the answer is an object. */
  readonly version: Version | undefined;
}

export interface History {
  readonly base: { readonly revision: number; readonly versions: ReadonlyMap<string, Version> };
  /** In the order of revisions. */
  readonly writes: readonly Write[];
  readonly operations: readonly Operation[];
  readonly lists: readonly ListRecord[];
  readonly sessions: readonly WatchSession[];
  /** What the server logged as an error, and what went wrong for clients besides answers. */
  readonly errors: readonly string[];
}

/** A promise that was not kept. */
export interface Violation {
  /** "ordered", "linearizable" … */
  readonly check: string;
  readonly message: string;
}
