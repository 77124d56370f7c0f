/**
 * Sources of versions: list and watch, as the reflector sees them.
 *
 *     Transport + kind        → listWatcher()    ─┐
 *     ListerWatcher by hand   → versionsFrom()   ─┴→ VersionSource → reflector
 */
import type { KubeObject, ListOptions, ObjectKey, Status } from "@drover/machinery";
import type { ByteShelf } from "./byte-shelf.ts";
import type { KeptVersion } from "./kept-version.ts";
import type { ObjectEncoding, ObjectVersion } from "./object-version.ts";

/** Options of one list or watch. */
export interface SourceCall {
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** One page of a list. */
export interface VersionPage<T extends KubeObject> {
  readonly items: readonly ObjectVersion<T>[];
  /** Resource version of the list. */
  readonly resourceVersion: string;
  /** Token of the next page; undefined for the last page. */
  readonly continue: string | undefined;
  /** Items that could not be decoded; the other items are valid. */
  readonly poison: readonly PoisonReport[];
}

/** Report on an object that cannot be decoded. It does not affect other objects. */
export interface PoisonReport {
  /** "namespace/name", if known. */
  readonly key: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly message: string;
}

/**
 * One watch event whose object may not be decoded yet: the first read of `version.object` parses it. POISON is an event whose
 * object cannot be decoded.
 */
export type LazyWatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly version: ObjectVersion<T> }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly type: "ERROR"; readonly status: Status }
  | { readonly type: "POISON"; readonly report: PoisonReport };

/** Returns versions from bytes that an earlier process has kept. */
export interface VersionRestorer<T extends KubeObject> {
  /** Newest minor version of Kubernetes whose protobuf this process decodes completely; 0 if it decodes none. */
  readonly newestMinor: number;
  /** Returns a version without copying its bytes. Does not check them: reading the object does. */
  restore(kept: KeptVersion, encoding: ObjectEncoding): ObjectVersion<T>;
}

/** Lists and watches one collection for a reflector. */
export interface VersionSource<T extends KubeObject> {
  /** Description for errors, logs and health: "pods in all namespaces". */
  readonly description: string;
  /** Whether to try `sendInitialEvents`. */
  readonly supportsWatchList: boolean;
  /** Allocator for the bytes of its versions; their owner compacts it. @default each version has its own memory */
  readonly shelf?: ByteShelf;
  /** Declared fields of its objects, besides metadata; client-side, so that the server sends whole objects. @default whole objects */
  readonly fields?: readonly string[] | undefined;
  /**
   * Rejects with a `TypeError` if what the program declared is wrong, so that no retry helps: then the informer ends with it. Called once,
   * when the informer starts. @default nothing to check
   */
  readonly check?: (() => Promise<void>) | undefined;
  /** Prepares to restore versions. Absent if its versions are not kept as bytes. */
  restorer?(): Promise<VersionRestorer<T>>;
  /**
   * Reads one object of the collection, not older than `resourceVersion`, or without it the newest; undefined if there is none, or its
   * labels are not selected. Rejects with an `ApiError` for an error response. Absent if the source reads only collections.
   */
  get?(key: ObjectKey, options: { readonly resourceVersion?: string }, call: SourceCall): Promise<ObjectVersion<T> | undefined>;
  /** Returns one page. Rejects with an `ApiError` for an error response. */
  list(options: ListOptions, call: SourceCall): Promise<VersionPage<T>>;
  /**
   * Yields batches of events that arrived together. Ends when the server closes the stream normally; throws the errors of the client's
   * `watchStream` (`ApiError` for an error response, `WatchSilenceError`, `ResponseError`, `WatchFrameError`, the signal's reason).
   */
  watch(options: ListOptions, call: SourceCall): AsyncIterable<readonly LazyWatchEvent<T>[]>;
}
