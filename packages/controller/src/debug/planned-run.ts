/** What the next run of an object would change, as dry runs show it. */
import type { FieldChange } from "../tape/run-record.ts";

/** A write that the run would make. */
export interface PlannedWrite {
  /** Kind of the object: "Deployment.apps". */
  readonly kind: string;
  /** "web/shop" */
  readonly key: string;
  readonly type: "created" | "patched" | "recreated" | "deleted" | "left" | "waiting";
  /** Why, if the type does not say it. */
  readonly why?: string;
  /** Fields with short values; values of Secrets are not shown. */
  readonly fields: readonly FieldChange[];
  /** Number of changed fields, including those not listed. */
  readonly fieldCount: number;
}

/** What a run would do. */
export interface PlannedRun {
  /** Why the run would apply nothing: the object is paused, excluded, being deleted; absent if it would. */
  readonly skipped?: string;
  readonly writes: readonly PlannedWrite[];
  /** Number of objects that are as desired. */
  readonly unchanged: number;
  /** Slots that would be left as they are, each with the reason. */
  readonly held: readonly string[];
  /** What would fail: the author's function, or the server's refusals. */
  readonly errors: readonly string[];
}
