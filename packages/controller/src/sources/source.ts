/**
 * Where keys come from: a kind that is watched, a timer, the world outside.
 *
 *     Source.run(sink) → sink.request(key, { priority, cause }) → the controller's queue
 */
import type { ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";

/** What is asked for beside a key. */
export interface SourceRequest {
  /** @default 0 */
  readonly priority?: number;
  /** Milliseconds until it is to run. @default now */
  readonly afterMs?: number;
  readonly cause: Cause;
}

/** What a source talks to while it runs. */
export interface SourceSink {
  /** This key is to be reconciled. Never throws and never waits; after the source was stopped it does nothing. */
  request(key: ObjectKey, request: SourceRequest): void;
  /**
   * Everything that was there when the source began has been requested. The controller's workers wait for this once;
   * saying it again does no harm.
   */
  synced(): void;
  /**
   * Why it has not synced yet, or what is wrong since, in words; undefined when all is well. Stands in the account of who has not synced. A
   * function is asked whenever somebody looks, so that what changes by itself need not be said again and again.
   */
  waitingFor(why: string | undefined | (() => string | undefined)): void;
}

/** A source of keys. One source may be watched by several controllers, and again after it was stopped: each `run` is a life of its own. */
export interface Source {
  /** For people: "Deployment apps", "Pod owned by Deployment", "every 30s". */
  readonly name: string;
  /**
   * What it must be allowed to do at the server; a kind needs "list" and "watch". Looked at by the check before the
   * start. @default nothing
   */
  readonly needs?: readonly PermissionNeed[];
  /** Asks for keys until the signal is aborted, then resolves. What it rejects with ends the controller, and with it the manager. */
  run(sink: SourceSink, signal: AbortSignal): Promise<void>;
}

/** One source that is being watched. */
export interface Watch {
  readonly name: string;
  readonly isSynced: boolean;
  /** Why it has not synced, or what is wrong. */
  readonly waitingFor: string | undefined;
  /** Resolves when it has synced. Rejects with the signal's reason, or when it is stopped before. */
  synced(signal: AbortSignal): Promise<void>;
  /**
   * Asks for nothing more from now on; resolves when it is over. Keys that were asked for already are still reconciled.
   * Doing it twice does no harm.
   */
  stop(): Promise<void>;
}
