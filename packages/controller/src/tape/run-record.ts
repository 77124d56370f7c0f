/**
 * What the tape knows of one run, as data: enough to explain it later, and to be written as a line of JSON.
 *
 *     causes → run → API calls → result
 */
import type { GroupKind, ObjectKey } from "@drover/machinery";

/** One field that differs between two versions: "spec.replicas", "metadata.labels[app]". */
export interface FieldChange {
  readonly path: string;
  /** The values before and after as short JSON; absent where there was none. Values of Secrets are not shown. */
  readonly before?: string;
  readonly after?: string;
}

/** Who wrote a version. */
export type Writer =
  /** This process, in a run: the version is one the server answered a write of ours with. */
  | { readonly type: "self"; readonly controller: string; readonly key: ObjectKey; readonly run: string }
  /** Somebody else, by the field manager whose entry covers the fields that changed. */
  | {
      readonly type: "manager";
      readonly manager: string;
      readonly operation: string;
      readonly subresource?: string;
      readonly time?: string;
    }
  /** Nothing tells. */
  | { readonly type: "unknown" };

/** A change as the tape keeps it. */
export interface ChangeRecord {
  readonly type: "change";
  readonly event: "added" | "updated" | "deleted" | "resync" | "initial";
  readonly via: "self" | "owner" | "mapped";
  readonly kind: GroupKind;
  readonly cluster: string;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Of an update: the version before it. */
  readonly resourceVersionBefore?: string;
  /** Absent when the objects are no longer at hand, so that it cannot be told. */
  readonly fields?: readonly FieldChange[];
  /** How many fields changed, those that are not listed included. */
  readonly fieldCount?: number;
  readonly writers: readonly Writer[];
}

/** Any other cause, as it came. */
export type CauseRecord =
  | ChangeRecord
  | { readonly type: "timer"; readonly source: string }
  | { readonly type: "external"; readonly source: string; readonly note?: string }
  | { readonly type: "after"; readonly afterMs: number; readonly run: string }
  | { readonly type: "retry"; readonly attempt: number; readonly error: string; readonly run: string; readonly isConflict: boolean }
  | {
      readonly type: "enqueue";
      readonly note?: string;
      readonly parent?: { readonly controller: string; readonly key: ObjectKey; readonly run: string };
    };

/** What a write of ours became. */
export interface WroteRecord {
  readonly uid: string;
  /** The version the server answered with; empty for an object that is gone, as the answer to a DELETE says by its uid alone. */
  readonly resourceVersion: string;
  /**
   * The field manager the write was sent under, when the request named one: tells it from others when several writes
   * were merged into one change.
   */
  readonly manager?: string;
}

/** One call to the API server inside a run. */
export interface CallRecord {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  /** Milliseconds since the run began. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Absent when there was no answer. */
  readonly status?: number;
  /** Why there was no answer, or what the server said. */
  readonly error?: string;
  /** What the server says it wrote; absent when nothing was, or it did not say. */
  readonly wrote?: WroteRecord;
}

export type ResultRecord =
  | { readonly type: "done" }
  | { readonly type: "after"; readonly afterMs: number }
  | { readonly type: "retry"; readonly error: string; readonly isConflict: boolean; readonly retryInMs?: number; readonly parked?: true }
  | { readonly type: "stop"; readonly reason: string }
  /** The run was given up: its deadline passed, or the process is ending. */
  | { readonly type: "abandoned"; readonly reason: string };

export interface RunRecord {
  readonly run: string;
  readonly controller: string;
  readonly key: ObjectKey;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How long the key had been ready. */
  readonly waitedMs: number;
  /** Absent while it runs. */
  readonly tookMs?: number;
  readonly attempts: number;
  readonly causes: readonly CauseRecord[];
  readonly causeCount: number;
  readonly calls: readonly CallRecord[];
  /** How many calls there were, those that are not listed included. */
  readonly callCount: number;
  /** Absent while it runs. */
  readonly result?: ResultRecord;
}
