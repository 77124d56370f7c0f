/**
 * Record of one run, as data: enough to explain it later, and to write it as a line of JSON.
 *
 *     causes → run → API calls → result
 */
import type { GroupKind, ObjectKey } from "@drover/machinery";

/** One field that differs between two versions: "spec.replicas", "metadata.labels[app]". */
export interface FieldChange {
  readonly path: string;
  /** Values before and after as short JSON; absent if there was none. Values of Secrets are not shown. */
  readonly before?: string;
  readonly after?: string;
}

/** The writer of a version. */
export type Writer =
  /** A run of this process: the server returned this version for its write. */
  | { readonly type: "self"; readonly controller: string; readonly key: ObjectKey; readonly run: string }
  /** Another writer, identified by the field manager whose entry covers the changed fields. */
  | {
      readonly type: "manager";
      readonly manager: string;
      readonly operation: string;
      readonly subresource?: string;
      readonly time?: string;
    }
  /** Not known. */
  | { readonly type: "unknown" };

/** Record of a change. */
export interface ChangeRecord {
  readonly type: "change";
  readonly event: "added" | "updated" | "deleted" | "resync" | "initial";
  readonly via: "self" | "owner" | "mapped";
  readonly kind: GroupKind;
  readonly cluster: string;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  /** For an update: the previous version. */
  readonly resourceVersionBefore?: string;
  /** Absent if the objects are no longer kept. */
  readonly fields?: readonly FieldChange[];
  /** Number of changed fields, including those not listed. */
  readonly fieldCount?: number;
  readonly writers: readonly Writer[];
}

/** Record of a cause. */
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

/** The object that a call wrote. */
export interface WroteRecord {
  readonly uid: string;
  /** The version in the response; empty if the object is gone, because the response to a DELETE names only its uid. */
  readonly resourceVersion: string;
  /** Field manager of the request, if it named one; distinguishes it from others when several writes were merged into one change. */
  readonly manager?: string;
  /** Key of an object that the path does not name, because the call created it. */
  readonly key?: ObjectKey;
}

/** One call to the API server within a run. */
export interface CallRecord {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Milliseconds since the start of the run. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Absent if there was no response. */
  readonly status?: number;
  /** Why there was no response, or the server's message. */
  readonly error?: string;
  /** What the call wrote according to the server; absent if nothing, or if the server did not say. */
  readonly wrote?: WroteRecord;
}

/** Record of how a run ended. */
export type ResultRecord =
  | { readonly type: "done" }
  | { readonly type: "after"; readonly afterMs: number }
  | { readonly type: "retry"; readonly error: string; readonly isConflict: boolean; readonly retryInMs?: number; readonly parked?: true }
  | { readonly type: "stop"; readonly reason: string }
  /** The run was abandoned: its deadline passed, or the process is stopping. */
  | { readonly type: "abandoned"; readonly reason: string };

/** Record of one run. */
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
  /** Number of calls, including those not listed. */
  readonly callCount: number;
  /** Absent while it runs. */
  readonly result?: ResultRecord;
}

/** A call, and the run that made it. */
export interface TapedCall extends Pick<RunRecord, "run" | "controller" | "key"> {
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly call: CallRecord;
}

/** A page of runs in the order in which they ended. */
export interface EndedRuns {
  readonly runs: readonly RunRecord[];
  /** Position of the last run of the page; the next page starts after it. */
  readonly cursor: number;
  /** Number of runs after the asked position that the tape no longer keeps. */
  readonly missed: number;
}
