/** The two conditions of kstatus: Reconciling while an object is being processed, and Stalled when it cannot make progress. */
import { errorText } from "@drover/machinery";
import type { Cond, CondOptions, TimeSource } from "./cond.ts";
import { cond } from "./cond.ts";

/** Guarantees: at most one of the two is "True"; never changes its arguments. */
export interface Kstatus {
  readonly reconciling: Cond;
  readonly stalled: Cond;
  /** Sets Stalled with the error; without an error, sets active. */
  setError<X extends object>(subject: X, error: unknown, clock: TimeSource): X;
  /** Sets Reconciling. */
  setTransitioning<X extends object>(subject: X, message: string, clock: TimeSource): X;
  /** Clears both conditions. */
  setActive<X extends object>(subject: X, clock: TimeSource): X;
}

/** Returns both conditions in one form. */
export function kstatus(options: CondOptions = {}): Kstatus {
  const reconciling = cond("Reconciling", options);
  const stalled = cond("Stalled", options);
  const off = <X extends object>(condition: Cond, subject: X, clock: TimeSource): X =>
    condition.state(subject, { status: "False", reason: "", message: "" }, clock);
  const setActive = <X extends object>(subject: X, clock: TimeSource): X => off(stalled, off(reconciling, subject, clock), clock);
  return {
    reconciling,
    stalled,
    setActive,
    setTransitioning: (subject, message, clock) =>
      reconciling.state(off(stalled, subject, clock), { status: "True", reason: "Transitioning", message }, clock),
    setError: (subject, error, clock) => {
      if (error === undefined || error === null) return setActive(subject, clock);
      return stalled.state(off(reconciling, subject, clock), { status: "True", reason: "Error", message: errorText(error) }, clock);
    },
  };
}
