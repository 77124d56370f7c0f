/**
 * Conditions as Wrangler's kinds have them: like `metav1.Condition`, with one more time, and without a generation.
 *
 *     Cond → withCondition(conditions, update, …) → status.conditions
 */
import type { Condition, ConditionStatus, DeepReadonly, Time } from "@drover/machinery";
import { withStatusCondition } from "@drover/machinery";

/** `genericcondition.GenericCondition`. */
export interface GenericCondition {
  type: string;
  status: ConditionStatus;
  /** When anything of it last changed. */
  lastUpdateTime?: Time;
  /** When `status` last changed. */
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
}

/** `metav1`: with a reason that is never empty, and a generation. `generic`: with `lastUpdateTime`. */
export type ConditionForm = "metav1" | "generic";

/** A condition as either form has it. */
export type AnyCondition = Partial<Condition> & GenericCondition;

/** What is to be said of a condition. What is left out stays as it was. */
export interface ConditionStatement {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  /** Only for `metav1`. */
  readonly observedGeneration?: number;
}

/**
 * The list with the condition as stated; the same list when it says so already. `lastTransitionTime` moves when the status does, and
 * `lastUpdateTime` when anything does.
 */
export function withCondition(
  conditions: DeepReadonly<readonly AnyCondition[]> | undefined,
  statement: ConditionStatement,
  form: ConditionForm,
  now: Time,
): DeepReadonly<readonly AnyCondition[]> {
  const before = conditions?.find(({ type }) => type === statement.type);
  const { type, status, reason = before?.reason ?? "", message = before?.message ?? "", observedGeneration } = statement;
  // Servers leave out what is empty.
  const isSaid = before !== undefined && before.status === status && (before.reason ?? "") === reason && (before.message ?? "") === message;
  if (form === "metav1") {
    if (isSaid && reason !== "" && (before.observedGeneration ?? 0) === (observedGeneration ?? 0)) return conditions ?? [];
    // A reason may not be empty there. The status itself claims nothing that was not said.
    const update = {
      type,
      status,
      reason: reason === "" ? status : reason,
      message,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
    return withStatusCondition(conditions as readonly Condition[] | undefined, update, now);
  }
  if (isSaid) return conditions ?? [];
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const next: GenericCondition = {
    ...before,
    type,
    status,
    lastUpdateTime: now,
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    reason,
    message,
  };
  return before === undefined
    ? [...(conditions ?? []), next]
    : (conditions ?? []).map((condition) => (condition === before ? next : condition));
}
