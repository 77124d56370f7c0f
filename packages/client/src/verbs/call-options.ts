/**
 * Options of the verbs, in the API's terms; machinery's codecs define their form on the wire.
 *
 *     ReadOptions, WriteOptions … → the verbs of ResourceClient, DynamicClient, MetadataClient
 */
import type { DeletionPropagation, FieldValidation, Preconditions, ResourceVersionMatch, Scope } from "@drover/machinery";
import type { FieldSelection, LabelSelection } from "./selection.ts";

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal;
  /**
   * Limit for the whole call, the response body included; then it rejects with a `TimeoutError`, or with an
   * `UnknownOutcomeError` for a write that may have been sent. @default only the transport's limits
   */
  readonly timeoutMs?: number;
}

/** Namespace of objects of a namespaced kind. For a cluster-scoped kind, passing one does not compile. */
export type InNamespace<S extends Scope> = S extends "Namespaced" ? NamespaceOption : NoNamespaceOption;

/** For namespaced kinds. */
export interface NamespaceOption {
  /** `"*"` means all, for lists and watches. @default the client's */
  readonly namespace?: string;
}

/** For cluster-scoped kinds. */
export interface NoNamespaceOption {
  /** Objects of this kind have no namespace. */
  readonly namespace?: never;
}

/** Options to read one object. */
export interface ReadOptions extends CallOptions {
  /** "0" accepts any version, also an old one from a cache; a number accepts none older. @default the newest */
  readonly resourceVersion?: string;
}

/** Selects objects. */
export interface SelectOptions {
  /** By labels: text, a `Selector`, or a `LabelSelector` object. @default all */
  readonly labelSelector?: LabelSelection;
  /** By fields: text, or a `FieldSelector`. @default all */
  readonly fieldSelector?: FieldSelection;
}

/** Options to read one page of a list. */
export interface ListPageOptions extends CallOptions, SelectOptions {
  /** Maximum items of the page. @default all in one page */
  readonly limit?: number;
  /** `metadata.continue` of the previous page. @default the first page */
  readonly continue?: string;
  /** "0" accepts any version; a number has the meaning that `resourceVersionMatch` gives it. @default the newest */
  readonly resourceVersion?: string;
  /** Whether the list may be newer than `resourceVersion`. @default the server's rules: not older, for a list without `limit` */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Timeout of the server, in seconds. @default the server's: a minute */
  readonly timeoutSeconds?: number;
}

/** Options to read a whole list, page by page; `timeoutMs` applies to each page. */
export interface ListAllOptions extends CallOptions, SelectOptions {
  /** Items per page. @default 500 */
  readonly pageSize?: number;
  /** Minimum version of the list, as for a page. @default the newest */
  readonly resourceVersion?: string;
  /** Whether the list may be newer than `resourceVersion`. @default the server's rules */
  readonly resourceVersionMatch?: ResourceVersionMatch;
}

/** Options of a watch. */
export interface WatchOptions extends SelectOptions {
  /** Ends it: the loop then throws the signal's reason. Leaving the loop ends it too. @default none */
  readonly signal?: AbortSignal;
  /**
   * Start of the watch: changes after this version. "0" starts with a possibly old state as ADDED events. @default the
   * newest state, then changes
   */
  readonly resourceVersion?: string;
  /** Must be "NotOlderThan" together with `sendInitialEvents`. @default none */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Starts with the current state, ended by a bookmark. @default decided by the server */
  readonly sendInitialEvents?: boolean;
  /** Asks for bookmarks, which carry the version up to which the watch is complete. @default true */
  readonly allowWatchBookmarks?: boolean;
  /** The server ends the stream after this many seconds. @default the server's: 30 to 60 minutes */
  readonly timeoutSeconds?: number;
  /**
   * Silence after which the stream counts as dead and the loop throws a `WatchSilenceError`. @default 180,000 with
   * bookmarks, which come every minute or two; else 30,000 more than `timeoutSeconds`; else `Infinity`
   */
  readonly silenceMs?: number;
}

/** Options to write one object. */
export interface WriteOptions extends CallOptions {
  /** "All" validates and defaults, but does not store. @default stored */
  readonly dryRun?: "All";
  /** Owner of the written fields. @default the client's; else the server derives one from the user agent */
  readonly fieldManager?: string;
  /** How the server treats unknown fields and duplicate keys. @default the server's, "Warn" */
  readonly fieldValidation?: FieldValidation;
}

/** Options of server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes ownership from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

/** Options to delete one object. */
export interface RemoveOptions extends CallOptions {
  /** Deletes only an object with this uid or version; otherwise the call fails with a conflict. @default none */
  readonly preconditions?: Preconditions;
  /** What happens to owned objects: orphaned, deleted afterwards, or deleted first. @default depends on the kind, mostly "Background" */
  readonly propagationPolicy?: DeletionPropagation;
  /** Time for graceful termination; 0 is immediate. @default depends on the kind, 30 for a Pod */
  readonly gracePeriodSeconds?: number;
  /** "All" validates, but does not delete. @default deleted */
  readonly dryRun?: "All";
}

/** Options to delete a collection. Without a selector this is everything in the namespace. */
export interface RemoveCollectionOptions extends RemoveOptions, SelectOptions {
  /** Maximum objects to delete. @default all */
  readonly limit?: number;
  /** `metadata.continue` of the previous call. @default from the beginning */
  readonly continue?: string;
  /** Deletes the objects that existed at this version. @default the newest */
  readonly resourceVersion?: string;
  /** Whether to include objects of later versions. @default the server's rules */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Timeout of the server, in seconds. @default the server's: a minute */
  readonly timeoutSeconds?: number;
}
