/**
 * Where versions come from: list and watch, as the reflector sees them.
 *
 *     Transport + kind        → listWatcher()    ─┐
 *     ListerWatcher by hand   → versionsFrom()   ─┴→ VersionSource → reflector
 */
import type { KubeObject, ListOptions, Status } from "@drover/machinery";
import type { ByteShelf } from "./byte-shelf.ts";
import type { ObjectVersion } from "./object-version.ts";

export interface SourceCall {
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** One page of a list. */
export interface VersionPage<T extends KubeObject> {
  readonly items: readonly ObjectVersion<T>[];
  /** Of the list as a whole. */
  readonly resourceVersion: string;
  /** The token of the next page; undefined on the last one. */
  readonly continue: string | undefined;
  /** Items that could not be read at all; the rest of the page is good. */
  readonly poison: readonly PoisonReport[];
}

/** An object that cannot be read: isolated, told, and never allowed to hold up the others. */
export interface PoisonReport {
  /** "namespace/name" where it could be made out. */
  readonly key: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly message: string;
}

/**
 * One watch event whose object need not be decoded yet: the first read of `version.object` parses it. POISON stands for an
 * event whose object cannot be decoded at all.
 */
export type LazyWatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly version: ObjectVersion<T> }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly type: "ERROR"; readonly status: Status }
  | { readonly type: "POISON"; readonly report: PoisonReport };

export interface VersionSource<T extends KubeObject> {
  /** What it lists, in words: "pods in all namespaces". For errors, logs and health. */
  readonly description: string;
  /** Whether to try `sendInitialEvents` at all. */
  readonly supportsWatchList: boolean;
  /** Where the bytes of its versions lie; whoever holds them keeps it tidy. @default each has memory of its own */
  readonly shelf?: ByteShelf;
  /** One page. Rejects with an `ApiError` when the server refuses. */
  list(options: ListOptions, call: SourceCall): Promise<VersionPage<T>>;
  /**
   * Events, those that came together in one batch. Ends when the server closes in good order; throws what `watchStream` of the client
   * throws (`ApiError` for a refusal, `WatchSilenceError`, `ResponseError`, `WatchFrameError`, the signal's reason).
   */
  watch(options: ListOptions, call: SourceCall): AsyncIterable<readonly LazyWatchEvent<T>[]>;
}
