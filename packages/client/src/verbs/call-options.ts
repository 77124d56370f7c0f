/**
 * What every verb can be asked for. The words are those of the API; what stands on the wire is in machinery's codecs.
 *
 *     ReadOptions, WriteOptions … → the verbs of ResourceClient, DynamicClient, MetadataClient
 */
import type { DeletionPropagation, FieldValidation, Preconditions, ResourceVersionMatch, Scope } from "@drover/machinery";
import type { FieldSelection, LabelSelection } from "./selection.ts";

/** What every call takes. */
export interface CallOptions {
  /** Calls it off; the promise then rejects with the signal's reason. @default never called off */
  readonly signal?: AbortSignal;
  /**
   * How long the whole call may take, the body of the answer included; then it rejects with a `TimeoutError`, or, a
   * write that may have been sent, with an `UnknownOutcomeError`. @default no limit but the transport's
   */
  readonly timeoutMs?: number;
}

/** Where objects of a namespaced kind are. For a cluster-scoped kind naming a namespace is a compile error. */
export type InNamespace<S extends Scope> = S extends "Namespaced" ? NamespaceOption : NoNamespaceOption;

/** For namespaced kinds. */
export interface NamespaceOption {
  /** `"*"` is all of them, for lists and watches. @default the client's own */
  readonly namespace?: string;
}

/** For cluster-scoped kinds. */
export interface NoNamespaceOption {
  /** Objects of this kind are in no namespace. */
  readonly namespace?: never;
}

/** Reading one object. */
export interface ReadOptions extends CallOptions {
  /** "0": any version will do, also an old one from a cache; a number: not older than that. @default the newest */
  readonly resourceVersion?: string;
}

/** Choosing objects. */
export interface SelectOptions {
  /** By labels: text, a `Selector`, or a `LabelSelector` as objects hold it. @default all */
  readonly labelSelector?: LabelSelection;
  /** By fields: text, or a `FieldSelector`. @default all */
  readonly fieldSelector?: FieldSelection;
}

/** Reading one page of a list. */
export interface ListPageOptions extends CallOptions, SelectOptions {
  /** How many items the page may have. @default all in one page */
  readonly limit?: number;
  /** `metadata.continue` of the page before. @default the first page */
  readonly continue?: string;
  /** How fresh the list must be: "0" any version will do, a number as `resourceVersionMatch` says. @default the newest */
  readonly resourceVersion?: string;
  /** Whether the list may be newer than `resourceVersion`. @default the server's rules: not older, for a list without `limit` */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** After how many seconds the server gives up. @default the server's choice, a minute */
  readonly timeoutSeconds?: number;
}

/** Reading a whole list, page by page; `timeoutMs` is for each page. */
export interface ListAllOptions extends CallOptions, SelectOptions {
  /** How many items a page has. @default 500 */
  readonly pageSize?: number;
  /** How fresh the list must be, as for a page. @default the newest */
  readonly resourceVersion?: string;
  /** Whether the list may be newer than `resourceVersion`. @default the server's rules */
  readonly resourceVersionMatch?: ResourceVersionMatch;
}

/** Hearing of changes. */
export interface WatchOptions extends SelectOptions {
  /** Ends it: the loop then throws the signal's reason. Leaving the loop ends it too. @default never called off */
  readonly signal?: AbortSignal;
  /**
   * Where to start: changes after this version. "0" begins with the present state as ADDED events, perhaps an old one.
   * @default the newest state, then changes
   */
  readonly resourceVersion?: string;
  /** Must be "NotOlderThan" together with `sendInitialEvents`. @default none */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Begins with the present state and a bookmark that says where it ends. @default decided by the server */
  readonly sendInitialEvents?: boolean;
  /** Lets the server say up to which version nothing was missed. @default true */
  readonly allowWatchBookmarks?: boolean;
  /** After how many seconds the server ends the stream. @default the server's choice, 30 to 60 minutes */
  readonly timeoutSeconds?: number;
  /**
   * Without a byte for this long the stream counts as dead and the loop throws a `WatchSilenceError`. @default 180,000
   * with bookmarks, which come every minute or two; else 30,000 more than `timeoutSeconds`; else `Infinity`
   */
  readonly silenceMs?: number;
}

/** Writing one object. */
export interface WriteOptions extends CallOptions {
  /** "All" does everything but keep the result. @default the result is kept */
  readonly dryRun?: "All";
  /** Who owns the fields that are written. @default the client's; without one the server makes one from the user agent */
  readonly fieldManager?: string;
  /** What the server does about fields it does not know and keys that appear twice. @default the server's, "Warn" */
  readonly fieldValidation?: FieldValidation;
}

/** Server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields away from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

/** Deleting one object. */
export interface RemoveOptions extends CallOptions {
  /** Deletes only the very object that was seen; else the call fails with a conflict. @default whatever has the name */
  readonly preconditions?: Preconditions;
  /**
   * What happens to the objects it owns: left alone, deleted afterwards, or deleted first. @default what the kind says,
   * mostly "Background"
   */
  readonly propagationPolicy?: DeletionPropagation;
  /** How long the object may take to end; 0 is at once. @default what the kind says, 30 for a Pod */
  readonly gracePeriodSeconds?: number;
  /** "All" does everything but delete. @default the object is deleted */
  readonly dryRun?: "All";
}

/** Deleting many. Without a selector this is everything in the namespace. */
export interface RemoveCollectionOptions extends RemoveOptions, SelectOptions {
  /** How many objects one call deletes at most. @default all */
  readonly limit?: number;
  /** `metadata.continue` of the call before. @default from the beginning */
  readonly continue?: string;
  /** Which objects count: those there were at this version. @default the newest */
  readonly resourceVersion?: string;
  /** Whether objects of later versions count as well. @default the server's rules */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** After how many seconds the server gives up. @default the server's choice, a minute */
  readonly timeoutSeconds?: number;
}
