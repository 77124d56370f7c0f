/**
 * Why a key is reconciled. Causes travel beside the key through the queue; a run receives all causes since the previous run.
 *
 *     source, retry, timer, enqueue → queue.addWith(key, { cause }) → Work.causes → ReconcileContext.causes → tape
 */
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { ChangeCause } from "../handlers/request.ts";

/** A watched object changed. Includes resyncs and the objects of the first list; the change says which. */
export interface WatchCause extends ChangeCause {
  readonly kind: GroupKind;
  /** Name of the cluster that sent the change; empty for an unnamed cluster. */
  readonly cluster: string;
}

/** A timer source fired. */
export interface TimerCause {
  readonly type: "timer";
  /** Name of the source: "every 30s". */
  readonly source: string;
}

/** An event arrived from outside the cluster. */
export interface ExternalCause {
  readonly type: "external";
  readonly source: string;
  /** Description of the event. */
  readonly note?: string;
}

/** An earlier run asked to run again after a delay. */
export interface AfterCause {
  readonly type: "after";
  readonly afterMs: number;
  /** Id of that run. */
  readonly run: string;
}

/** The previous run failed. */
export interface RetryCause {
  readonly type: "retry";
  /** 1 for the first retry. */
  readonly attempt: number;
  /** Error message. */
  readonly error: string;
  /** Id of the failed run. */
  readonly run: string;
  /** Whether the failure was a conflict: another writer changed the object first, which is not an error. */
  readonly isConflict: boolean;
}

/** The program called `controller.enqueue`. */
export interface EnqueueCause {
  readonly type: "enqueue";
  /** Reason given by the caller. */
  readonly note?: string;
  /** The run that made the call. */
  readonly parent?: { readonly controller: string; readonly key: ObjectKey; readonly run: string };
}

/** Any reason for a run. */
export type Cause = WatchCause | TimerCause | ExternalCause | AfterCause | RetryCause | EnqueueCause;
