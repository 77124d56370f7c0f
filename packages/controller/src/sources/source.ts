/**
 * Where keys come from: a watched kind, a timer, events from outside the cluster.
 *
 *     Source.run(sink) → sink.request(key, { priority, cause }) → the controller's queue
 */
import type { InformerView } from "@drover/cache";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";

/** How to enqueue a key. */
export interface SourceRequest {
  /** Priority in the queue; higher runs first. @default 0 */
  readonly priority?: number;
  /** Delay before the key is reconciled, in milliseconds. @default 0 */
  readonly afterMs?: number;
  readonly cause: Cause;
}

/** Receives the requests of a running source. */
export interface SourceSink {
  /** Enqueues a key. Never throws or waits; does nothing after the source was stopped. */
  request(key: ObjectKey, request: SourceRequest): void;
  /**
   * Reports that everything that existed when the source started has been requested. Workers wait for the first call; later calls do
   * nothing.
   */
  synced(): void;
  /**
   * Reports why the source has not synced yet, or what has gone wrong since; undefined if there is no problem. Shown in `NotSyncedError`. A
   * function is called on every read, so a reason that changes by itself need not be reported again.
   */
  waitingFor(why: string | undefined | (() => string | undefined)): void;
  /**
   * Registers a function that requests everything that exists once more, until the signal aborts. A controller with shards calls it when it
   * acquires one: it ignored requests for keys of that shard before. @default absent: this sink never asks for that
   */
  readonly replayWith?: (replay: Replay) => void;
  /**
   * Names the cache whose objects have the requested keys, before the first request; returns a function that takes it back. With shards by
   * label, a controller reads labels there. Throws if it cannot. @default absent: this sink needs no cache
   */
  readonly keysOf?: (subject: KeysSubject) => () => void;
}

/** The cache of the objects whose keys a source requests. */
export interface KeysSubject {
  /** Name of the source, for people: "Deployment apps". */
  readonly kind: string;
  readonly informer: InformerView<KubeObject>;
  /** Whether objects are changed before they are stored. */
  readonly isTransformed: boolean;
}

/** Requests everything that exists once more; resolves when done or when the signal aborts. */
export type Replay = (request: SourceSink["request"], signal: AbortSignal) => Promise<void>;

/** A source of keys. Several controllers may watch one source, and it may be watched again after a stop: runs are independent. */
export interface Source {
  /** Name for people: "Deployment apps", "Pod owned by Deployment", "every 30s". */
  readonly name: string;
  /** Permissions it needs, for the check before the start; a kind needs "list" and "watch". @default none */
  readonly needs?: readonly PermissionNeed[];
  /** Whether it names the cache of its keys with `keysOf`; shards by label need one such source. @default false */
  readonly namesKeys?: boolean;
  /** Requests keys until the signal aborts, then resolves. A rejection ends the controller, and with it the manager. */
  run(sink: SourceSink, signal: AbortSignal): Promise<void>;
}

/** A source that a controller watches. */
export interface Watch {
  readonly name: string;
  readonly isSynced: boolean;
  /** Why it has not synced, or what has gone wrong since. */
  readonly waitingFor: string | undefined;
  /** Resolves when it has synced. Rejects with the signal's reason, or if the watch is stopped first. */
  synced(signal: AbortSignal): Promise<void>;
  /** Stops requesting keys and resolves when the source has ended. Keys already requested are still reconciled. Idempotent. */
  stop(): Promise<void>;
}
