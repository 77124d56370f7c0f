/**
 * The record of one run: what clients and watchers observed, and what happened in the store. All checks work on it.
 *
 *     plan → run → History → checks → violations
 */
import type { JsonObject } from "@drover/machinery";

/** An object at one revision; `content` is everything except kind, apiVersion and resourceVersion. */
export interface Version {
  readonly revision: number;
  readonly content: JsonObject;
}

/** One write of the store. Ids are collection, namespace and name: "configmaps/blue/x". */
export interface Write {
  readonly revision: number;
  readonly id: string;
  /** Undefined if it did not exist. */
  readonly before: JsonObject | undefined;
  /** Undefined if it was deleted. */
  readonly after: JsonObject | undefined;
}

/** The scope of a list or a watch. */
export interface Scope {
  /** Description: "configmaps in blue, app=web". */
  readonly text: string;
  readonly matches: (id: string, content: JsonObject) => boolean;
}

export interface WatchedEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** "" for a bookmark. */
  readonly id: string;
  readonly revision: number;
  readonly content: JsonObject;
  /** Whether this bookmark ends the initial state. */
  readonly endsInitial: boolean;
  /** The newest revision of the store when the event was read. */
  readonly newest: number;
  /** When the event was read. */
  readonly tick: number;
}

export type SessionEnd =
  /** Read until no more events came; the watch was still open. */
  | { readonly kind: "drained" }
  /** The watcher stopped it. */
  | { readonly kind: "stopped" }
  /** The server closed it without an error. */
  | { readonly kind: "closed" }
  /** 410; `compacted` is the oldest revision of the store when it was read. */
  | { readonly kind: "expired"; readonly compacted: number }
  | { readonly kind: "failed"; readonly code: number; readonly message: string };

/** One watch request and its outcome. */
export interface WatchSession {
  /** "watcher 2, session 3" */
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
  /** The requested version; undefined if none, 0 is "any". */
  readonly asked: number | undefined;
  /** Whether the current state comes first. */
  readonly wantsInitial: boolean;
  readonly wantsBookmarks: boolean;
  /** The newest revision when the request was sent. */
  readonly floor: number;
  /** The newest revision when the head of the response arrived. */
  readonly ceiling: number;
  /** The oldest retained revision when the request was sent. */
  readonly compactedAtStart: number;
  readonly events: readonly WatchedEvent[];
  readonly end: SessionEnd;
  readonly newestAtEnd: number;
  /** When the request was sent, and when it was over. */
  readonly invoked: number;
  readonly returned: number;
}

export interface ListPage {
  readonly code: number;
  readonly revision: number;
  readonly items: readonly { readonly id: string; readonly version: Version }[];
  readonly hasMore: boolean;
  readonly remaining: number | undefined;
  /** Before the page was requested, the revision below which nothing is readable; after it arrived, the oldest in the history. */
  readonly compacted: readonly [before: number, after: number];
}

/** One list, in as many requests as it took. */
export interface ListRecord {
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
  readonly isUnfiltered: boolean;
  readonly mode: "latest" | "not-older-than" | "exact";
  /** 0 for "latest". */
  readonly asked: number;
  readonly floor: number;
  readonly newestAtEnd: number;
  readonly pages: readonly ListPage[];
  readonly invoked: number;
  readonly returned: number;
}

/** What a write asks for; undefined leaves a field unchanged. */
export interface Wish {
  readonly data: Readonly<Record<string, string>>;
  /** A patch removes a label with null. */
  readonly labels: Readonly<Record<string, string | null>> | undefined;
  readonly finalizers: readonly string[] | undefined;
}

/** One request for one object. */
export interface Operation {
  /** "client 1" */
  readonly client: string;
  readonly id: string;
  readonly verb: "get" | "create" | "put" | "patch" | "dry-patch" | "delete";
  /** The version that it requires. */
  readonly expected: number | undefined;
  /** Undefined for get and delete. */
  readonly wish: Wish | undefined;
  readonly invoked: number;
  /** Infinity if the client never saw the response. */
  readonly returned: number;
  readonly answer: OperationAnswer | undefined;
}

export interface OperationAnswer {
  readonly code: number;
  readonly reason: string;
  /** Set if the response is an object. */
  readonly version: Version | undefined;
}

export interface History {
  readonly base: { readonly revision: number; readonly versions: ReadonlyMap<string, Version> };
  /** By revision. */
  readonly writes: readonly Write[];
  readonly operations: readonly Operation[];
  readonly lists: readonly ListRecord[];
  readonly sessions: readonly WatchSession[];
  /** Errors logged by the server, and failures of clients other than error responses. */
  readonly errors: readonly string[];
}

/** A violated guarantee. */
export interface Violation {
  /** "ordered", "linearizable" … */
  readonly check: string;
  readonly message: string;
}
