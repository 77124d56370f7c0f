/** What a schedule has found. */

/** What was promised and did not hold. */
export type CheckName =
  | "stable"
  | "same-end"
  | "idempotent"
  | "cold-start"
  | "bounded"
  | "fenced"
  | "external"
  | "claims"
  | "deterministic"
  | "alive"
  | "scene"
  | "always"
  | "eventually";

export interface Finding {
  readonly check: CheckName;
  /** The object it is about, as "pods default/web"; undefined if it is about none. */
  readonly object?: string;
  /** What is wrong, in one sentence. */
  readonly text: string;
}
