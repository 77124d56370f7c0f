/**
 * Why a key is reconciled. A cause rides beside the key through the queue; those of one run are merged, and all of them are told.
 *
 *     source, retry, timer, somebody → queue.addWith(key, { cause }) → Work.causes → ReconcileContext.causes → tape
 */
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { ChangeCause } from "../handlers/request.ts";

/**
 * Something happened to an object of a kind that is watched. A resync, and what was there from the start, is one too:
 * its change says so.
 */
export interface WatchCause extends ChangeCause {
  readonly kind: GroupKind;
  /** The name of the cluster it was seen in; empty for the only one. */
  readonly cluster: string;
}

/** The time of a timer source has come. */
export interface TimerCause {
  readonly type: "timer";
  /** The source's name: "every 30s". */
  readonly source: string;
}

/** Something came from outside of the cluster. */
export interface ExternalCause {
  readonly type: "external";
  readonly source: string;
  /** What came, in words. */
  readonly note?: string;
}

/** A run before this one asked to look again when some time has passed. */
export interface AfterCause {
  readonly type: "after";
  readonly afterMs: number;
  /** The run that asked. */
  readonly run: string;
}

/** The run before failed. */
export interface RetryCause {
  readonly type: "retry";
  /** 1 for the first retry. */
  readonly attempt: number;
  /** What went wrong, in words. */
  readonly error: string;
  /** The run that failed. */
  readonly run: string;
  /** Somebody else changed the object first, which is no fault of anybody's. */
  readonly isConflict: boolean;
}

/** The program asked for it: `controller.enqueue`. */
export interface EnqueueCause {
  readonly type: "enqueue";
  /** In the words of whoever asked. */
  readonly note?: string;
  /** The run in which it was asked for. */
  readonly parent?: { readonly controller: string; readonly key: ObjectKey; readonly run: string };
}

export type Cause = WatchCause | TimerCause | ExternalCause | AfterCause | RetryCause | EnqueueCause;
