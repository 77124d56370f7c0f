/**
 * Conditions: entries of `status.conditions`, each with the time of its last transition.
 *
 * `set…` and `remove…` change a status that the caller owns (a new one, or a draft of `edit`); they replace the list and never
 * write to it, so it may be frozen or shared. `with…` do the same on a bare list.
 */
import type { Int64, Time } from "./object.ts";

/** Status of a condition. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** `metav1.Condition`, used by every kind designed since 1.19. */
export interface Condition {
  /** CamelCase or foo.example.com/CamelCase; unique in its list. */
  type: string;
  status: ConditionStatus;
  /** The `metadata.generation` it was computed from. */
  observedGeneration?: Int64;
  /** When `status` last changed. */
  lastTransitionTime: Time;
  /** CamelCase word for machines, never empty. */
  reason: string;
  /** Sentence for people; may be empty. */
  message: string;
}

/** A condition to set. Its time is needed only when the transition was not "now". */
export interface ConditionUpdate extends Omit<Condition, "lastTransitionTime"> {
  lastTransitionTime?: Time;
}

/** What the functions below need; older condition types (PodCondition, NodeCondition …) have it too. */
interface ConditionLike {
  readonly type: string;
  readonly status: string;
}

/** Returns the condition of that type. */
export function findStatusCondition<C extends ConditionLike>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition exists and is "True". */
export function isStatusConditionTrue(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "True");
}

/** Whether the condition exists and is "False"; an absent one is neither. */
export function isStatusConditionFalse(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "False");
}

/** Whether the condition exists and has that status. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly ConditionLike[] | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}

/**
 * Sets the condition of the update's type, in its place or at the end. Returns whether the status object changed.
 * `lastTransitionTime` moves only when `status` does: to the update's own time if it has one, else to `now`.
 */
export function setStatusCondition(status: { conditions?: Condition[] }, update: Readonly<ConditionUpdate>, now: Time): boolean {
  const conditions = withStatusCondition(status.conditions, update, now);
  if (conditions === status.conditions) return false;
  status.conditions = [...conditions];
  return true;
}

/** Removes the condition. Returns whether it existed. */
export function removeStatusCondition(status: { conditions?: Condition[] }, type: string): boolean {
  const conditions = withoutStatusCondition(status.conditions, type);
  if (conditions === undefined || conditions === status.conditions) return false;
  status.conditions = [...conditions];
  return true;
}

/** Returns the list with the condition set as by `setStatusCondition`; the same list when nothing changes. */
export function withStatusCondition(
  conditions: readonly Readonly<Condition>[] | undefined,
  update: Readonly<ConditionUpdate>,
  now: Time,
): readonly Readonly<Condition>[] {
  const { type, status, observedGeneration, reason, message } = update;
  // An empty time is Go's zero time: none was given.
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

/** Returns the list without the condition; the same list when it has none. */
export function withoutStatusCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] | undefined {
  return findStatusCondition(conditions, type) === undefined ? conditions : conditions?.filter((condition) => condition.type !== type);
}

/** Zero and absent mean the same generation and are written as absent. */
function generation(observedGeneration: Int64 | undefined): { observedGeneration?: Int64 } {
  return observedGeneration === undefined || observedGeneration === 0 ? {} : { observedGeneration };
}
