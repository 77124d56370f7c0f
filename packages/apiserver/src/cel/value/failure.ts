/** Evaluation errors as values: they are passed on, because `||` and `&&` may absorb them. */

export interface CelFailure {
  readonly kind: "failure";
  readonly message: string;
}

export const failure = (message: string): CelFailure => ({ kind: "failure", message });

/** The failure of a call whose arguments do not fit at run time. */
export const noSuchOverload: CelFailure = failure("no such overload");

export function isFailure(outcome: unknown): outcome is CelFailure {
  return typeof outcome === "object" && outcome !== null && "kind" in outcome && outcome.kind === "failure";
}
