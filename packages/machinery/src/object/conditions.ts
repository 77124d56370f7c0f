/**
 * Conditions: one line of `status.conditions` per thing an object can be, with the moment it last changed its mind.
 *
 * `set…` and `remove…` change a status that is the caller's own (a new one, or a draft of `edit`); the list itself is replaced and
 * never written to, so it may be frozen or shared. `with…` are the same on a bare list.
 */
import type { Int64, Time } from "./object.ts";

/** What a condition can say of itself. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** `metav1.Condition`, the form every kind designed since 1.19 uses. */
export interface Condition {
  /** In CamelCase, or foo.example.com/CamelCase; unique in its list. */
  type: string;
  status: ConditionStatus;
  /** The `metadata.generation` this was computed from. */
  observedGeneration?: Int64;
  /** When `status` last changed. */
  lastTransitionTime: Time;
  /** A CamelCase word for machines, never empty. */
  reason: string;
  /** A sentence for people; may be empty. */
  message: string;
}

/** A condition to be set. The time is needed only by who knows better than "now" when the status changed. */
export interface ConditionUpdate extends Omit<Condition, "lastTransitionTime"> {
  lastTransitionTime?: Time;
}

/** What the readers below need; the older condition forms (PodCondition, NodeCondition …) have it too. */
interface ConditionLike {
  readonly type: string;
  readonly status: string;
}

/** The condition of that type. */
export function findStatusCondition<C extends ConditionLike>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition is there and "True". */
export function isStatusConditionTrue(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "True");
}

/** Whether the condition is there and "False"; an absent one is neither. */
export function isStatusConditionFalse(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "False");
}

/** Whether the condition is there and has that status. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly ConditionLike[] | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}

/**
 * Sets the condition of the update's type, at its old place or at the end. Returns whether the status object changed.
 * `lastTransitionTime` moves only when `status` does: to the update's own time if it has one, else to `now`.
 */
export function setStatusCondition(status: { conditions?: Condition[] }, update: Readonly<ConditionUpdate>, now: Time): boolean {
  const conditions = withStatusCondition(status.conditions, update, now);
  if (conditions === status.conditions) return false;
  status.conditions = [...conditions];
  return true;
}

/** Removes the condition. Returns whether it was there. */
export function removeStatusCondition(status: { conditions?: Condition[] }, type: string): boolean {
  const conditions = withoutStatusCondition(status.conditions, type);
  if (conditions === undefined || conditions === status.conditions) return false;
  status.conditions = [...conditions];
  return true;
}

/** The list with the condition set as `setStatusCondition` would; the same list when it says so already. */
export function withStatusCondition(
  conditions: readonly Readonly<Condition>[] | undefined,
  update: Readonly<ConditionUpdate>,
  now: Time,
): readonly Readonly<Condition>[] {
  const { type, status, observedGeneration, reason, message } = update;
  // An empty time is how Go's zero time may arrive here: nobody gave one.
  const transitionTime = update.lastTransitionTime || now;
  const index = conditions?.findIndex((condition) => condition.type === type) ?? -1;
  const old = conditions?.[index];
  if (conditions === undefined || old === undefined) {
    return [
      ...(conditions ?? []),
      { type, status, ...generation(observedGeneration), lastTransitionTime: transitionTime, reason, message },
    ];
  }
  const transitioned = old.status !== status;
  const sameGeneration = (old.observedGeneration ?? 0) === (observedGeneration ?? 0);
  if (!transitioned && sameGeneration && old.reason === reason && old.message === message) return conditions;
  const { observedGeneration: _, ...kept } = old;
  const lastTransitionTime = transitioned ? transitionTime : old.lastTransitionTime;
  return conditions.with(index, { ...kept, status, ...generation(observedGeneration), lastTransitionTime, reason, message });
}

/** The list without the condition; the same list when it is not in there. */
export function withoutStatusCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] | undefined {
  return findStatusCondition(conditions, type) === undefined ? conditions : conditions?.filter((condition) => condition.type !== type);
}

/** Zero and absent are the same generation, written as absent. */
function generation(observedGeneration: Int64 | undefined): { observedGeneration?: Int64 } {
  return observedGeneration === undefined || observedGeneration === 0 ? {} : { observedGeneration };
}
