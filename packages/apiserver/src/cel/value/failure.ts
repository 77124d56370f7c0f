/**
 * What evaluating gives where there is no value. Failures are handed on like values, because `||` and `&&` may yet make
 * one unimportant.
 */

export interface CelFailure {
  readonly kind: "failure";
  readonly message: string;
}

export const failure = (message: string): CelFailure => ({ kind: "failure", message });

/** The failure of a call with arguments that only turned out not to fit when there were values. */
export const noSuchOverload: CelFailure = failure("no such overload");

export function isFailure(outcome: unknown): outcome is CelFailure {
  return typeof outcome === "object" && outcome !== null && "kind" in outcome && outcome.kind === "failure";
}
