/**
 * The two conditions by which kstatus tells the state of any object: Reconciling, while it is being worked on, and
 * Stalled, when it cannot go
 * on by itself.
 */
import type { Cond, CondOptions, TimeSource } from "./cond.ts";
import { cond, errorText } from "./cond.ts";

/** Guarantees: at most one of the two is "True"; nothing that is handed in is changed. */
export interface Kstatus {
  readonly reconciling: Cond;
  readonly stalled: Cond;
  /** It cannot go on: stalled, with the error. Without an error it is active. */
  setError<X extends object>(subject: X, error: unknown, clock: TimeSource): X;
  /** It is being worked on. */
  setTransitioning<X extends object>(subject: X, message: string, clock: TimeSource): X;
  /** It is as it should be. */
  setActive<X extends object>(subject: X, clock: TimeSource): X;
}

/** The two conditions in one form. */
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
