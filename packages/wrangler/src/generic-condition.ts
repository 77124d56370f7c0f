/**
 * Conditions in Wrangler's form: `metav1.Condition` with `lastUpdateTime` and without a generation.
 *
 *     Cond → withCondition(conditions, update, …) → status.conditions
 */
import type { Condition, ConditionStatus, DeepReadonly, Time } from "@drover/machinery";
import { definedOnly, withStatusCondition } from "@drover/machinery";

/** `genericcondition.GenericCondition`. */
export interface GenericCondition {
  type: string;
  status: ConditionStatus;
  /** When any field last changed. */
  lastUpdateTime?: Time;
  /** When `status` last changed. */
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
}

/** `metav1`: with a non-empty reason and a generation. `generic`: with `lastUpdateTime`. */
export type ConditionForm = "metav1" | "generic";

/** A condition of either form. */
export type AnyCondition = Partial<Condition> & GenericCondition;

/** Fields to set in a condition; omitted fields keep their value. */
export interface ConditionStatement {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  /** Only for `metav1`. */
  readonly observedGeneration?: number;
}

/**
 * Returns the list with the condition set; the same list if nothing changes. `lastTransitionTime` changes with the
 * status, `lastUpdateTime` with any field.
 */
export function withCondition(
  conditions: DeepReadonly<readonly AnyCondition[]> | undefined,
  statement: ConditionStatement,
  form: ConditionForm,
  now: Time,
): DeepReadonly<readonly AnyCondition[]> {
  const before = conditions?.find(({ type }) => type === statement.type);
  const { type, status, reason = before?.reason ?? "", message = before?.message ?? "", observedGeneration } = statement;
  // Servers omit empty fields.
  const isUnchanged =
    before !== undefined && before.status === status && (before.reason ?? "") === reason && (before.message ?? "") === message;
  if (form === "metav1") {
    if (isUnchanged && reason !== "" && (before.observedGeneration ?? 0) === (observedGeneration ?? 0)) return conditions ?? [];
    // metav1 requires a reason; the status itself makes no further claim.
    const update = {
      type,
      status,
      reason: reason === "" ? status : reason,
      message,
      ...definedOnly({ observedGeneration }),
    };
    return withStatusCondition(conditions as readonly Condition[] | undefined, update, now);
  }
  if (isUnchanged) return conditions ?? [];
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const next: GenericCondition = {
    ...before,
    type,
    status,
    lastUpdateTime: now,
    ...definedOnly({ lastTransitionTime }),
    reason,
    message,
  };
  return before === undefined
    ? [...(conditions ?? []), next]
    : (conditions ?? []).map((condition) => (condition === before ? next : condition));
}
