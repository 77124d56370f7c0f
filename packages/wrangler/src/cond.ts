/**
 * One condition of an object, with Wrangler's verbs: `condition.Cond("Ready")`.
 *
 *     const Ready = cond("Ready");
 *     const failed = Ready.setError(object, "", error, clock);     returns a new object
 *
 * Accepts objects and bare statuses: a value with `metadata` is an object, whose conditions are in its status.
 */
import { errorText, formatTime } from "@drover/machinery";
import type { Clock, ConditionStatus } from "@drover/machinery";
import { isIgnored } from "@drover/lasso";
import type { AnyCondition, ConditionForm, ConditionStatement } from "./generic-condition.ts";
import { withCondition } from "./generic-condition.ts";

/** Options of `cond`. */
export interface CondOptions {
  /** Form of the kind's conditions. @default "metav1" */
  readonly form?: ConditionForm;
}

/** Source of timestamps. */
export type TimeSource = Pick<Clock, "now">;

/** Guarantees: never changes its arguments; returns the same value if nothing changes. */
export interface Cond {
  readonly type: string;
  readonly form: ConditionForm;
  /** Returns "" if there is no such condition. */
  getStatus(subject: object): ConditionStatus | "";
  getReason(subject: object): string;
  getMessage(subject: object): string;
  /** Returns `lastUpdateTime`, or `lastTransitionTime` if there is none. */
  getLastUpdated(subject: object): string;
  isTrue(subject: object): boolean;
  isFalse(subject: object): boolean;
  /** False for a missing condition; use `getStatus` to detect one. */
  isUnknown(subject: object): boolean;
  setStatus<X extends object>(subject: X, status: ConditionStatus, clock: TimeSource): X;
  setStatusBool<X extends object>(subject: X, isTrue: boolean, clock: TimeSource): X;
  true<X extends object>(subject: X, clock: TimeSource): X;
  false<X extends object>(subject: X, clock: TimeSource): X;
  unknown<X extends object>(subject: X, clock: TimeSource): X;
  createUnknownIfNotExists<X extends object>(subject: X, clock: TimeSource): X;
  reason<X extends object>(subject: X, reason: string, clock: TimeSource): X;
  message<X extends object>(subject: X, message: string, clock: TimeSource): X;
  setMessageIfBlank<X extends object>(subject: X, message: string, clock: TimeSource): X;
  /**
   * Without an error, or with `ErrSkip` (also as a cause), sets "True" without a message. Otherwise sets "False" with
   * the error's message and the reason, or "Error".
   */
  setError<X extends object>(subject: X, reason: string, error: unknown, clock: TimeSource): X;
  /** Sets status, reason and message at once. */
  state<X extends object>(subject: X, statement: Omit<ConditionStatement, "type" | "observedGeneration">, clock: TimeSource): X;
  /** Reports whether `setError` would change nothing. */
  matchesError(subject: object, reason: string, error: unknown): boolean;
}

/** Returns the condition of this type. */
export function cond(type: string, { form = "metav1" }: CondOptions = {}): Cond {
  const find = (subject: object): AnyCondition | undefined => conditionsOf(subject)?.find((condition) => condition.type === type);
  const getStatus = (subject: object): ConditionStatus | "" => find(subject)?.status ?? "";
  const state: Cond["state"] = (subject, statement, clock) => {
    const before = conditionsOf(subject);
    const conditions = withCondition(before, { ...statement, type, ...generationOf(subject) }, form, formatTime(clock.now()));
    return conditions === before ? subject : withConditions(subject, conditions);
  };
  const setStatus: Cond["setStatus"] = (subject, status, clock) => state(subject, { status }, clock);
  const keepStatus = (subject: object): ConditionStatus => find(subject)?.status ?? "Unknown";
  return {
    type,
    form,
    getStatus,
    setStatus,
    state,
    getReason: (subject) => find(subject)?.reason ?? "",
    getMessage: (subject) => find(subject)?.message ?? "",
    getLastUpdated: (subject) => find(subject)?.lastUpdateTime ?? find(subject)?.lastTransitionTime ?? "",
    isTrue: (subject) => getStatus(subject) === "True",
    isFalse: (subject) => getStatus(subject) === "False",
    isUnknown: (subject) => getStatus(subject) === "Unknown",
    setStatusBool: (subject, isTrue, clock) => setStatus(subject, isTrue ? "True" : "False", clock),
    true: (subject, clock) => setStatus(subject, "True", clock),
    false: (subject, clock) => setStatus(subject, "False", clock),
    unknown: (subject, clock) => setStatus(subject, "Unknown", clock),
    createUnknownIfNotExists: (subject, clock) => (find(subject) === undefined ? setStatus(subject, "Unknown", clock) : subject),
    reason: (subject, reason, clock) => state(subject, { status: keepStatus(subject), reason }, clock),
    message: (subject, message, clock) => state(subject, { status: keepStatus(subject), message }, clock),
    setMessageIfBlank: (subject, message, clock) =>
      (find(subject)?.message ?? "") === "" ? state(subject, { status: keepStatus(subject), message }, clock) : subject,
    setError: (subject, reason, error, clock) => state(subject, errorStatement(reason, error), clock),
    matchesError: (subject, reason, error) => state(subject, errorStatement(reason, error), { now: () => 0 }) === subject,
  };
}

function errorStatement(reason: string, error: unknown): Required<Pick<ConditionStatement, "status" | "reason" | "message">> {
  if (error === undefined || error === null || isIgnored(error)) return { status: "True", reason, message: "" };
  return { status: "False", reason: reason === "" ? "Error" : reason, message: errorText(error) };
}

const isObjectWithMetadata = (
  subject: object,
): subject is { readonly metadata: { readonly generation?: number }; readonly status?: object } => Object.hasOwn(subject, "metadata");

function conditionsOf(subject: object): readonly AnyCondition[] | undefined {
  const { conditions } = (isObjectWithMetadata(subject) ? (subject.status ?? {}) : subject) as {
    readonly conditions?: readonly AnyCondition[];
  };
  return conditions;
}

function withConditions<X extends object>(subject: X, conditions: readonly unknown[]): X {
  return isObjectWithMetadata(subject) ? { ...subject, status: { ...subject.status, conditions } } : { ...subject, conditions };
}

function generationOf(subject: object): { observedGeneration?: number } {
  const generation = isObjectWithMetadata(subject) ? subject.metadata.generation : undefined;
  return generation === undefined ? {} : { observedGeneration: generation };
}
