/**
 * Conditions to wait for: predicates of an object or of its absence.
 *
 *     waitFor(client, Deployment, "web", and(exists, conditionTrue("Available")))
 */
import type { ConditionStatus, DeepReadonly, KubeObject } from "@drover/machinery";

/**
 * Reports whether the condition holds. `undefined` means that the object does not exist. Must be pure and fast: it is called
 * on every change.
 */
export type WaitCondition<T extends KubeObject = KubeObject> = (object: DeepReadonly<T> | undefined) => boolean;

/** The object exists. */
export const exists: WaitCondition = (object) => object !== undefined;

/** The object does not exist. */
export const deleted: WaitCondition = (object) => object === undefined;

/** The object with this uid no longer exists; another one of the same name may. */
export const deletedUid =
  (uid: string): WaitCondition =>
  (object) =>
    object?.metadata.uid !== uid;

/** A condition in the object's status is True; see {@link conditionIs}. */
export const conditionTrue = (type: string): WaitCondition => conditionIs(type, "True");

/**
 * A condition in the object's status has this status for the current object: one observed at an older `metadata.generation`
 * does not count. Types are compared case-insensitively, as in kubectl.
 */
export function conditionIs(type: string, status: ConditionStatus): WaitCondition {
  return (object) => {
    const { conditions, observedGeneration } = statusOf(object);
    const found = conditions?.find((condition) => condition.type?.toLowerCase() === type.toLowerCase());
    if (found === undefined || found.status?.toLowerCase() !== status.toLowerCase()) return false;
    const observed = found.observedGeneration ?? observedGeneration;
    return observed === undefined || observed >= (object?.metadata.generation ?? 0);
  };
}

interface ConditionField {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
}

function statusOf(object: DeepReadonly<KubeObject> | undefined): {
  readonly conditions?: readonly ConditionField[];
  readonly observedGeneration?: number;
} {
  const status = (object as { readonly status?: unknown } | undefined)?.status;
  if (typeof status !== "object" || status === null) return {};
  const { conditions, observedGeneration } = status as { readonly conditions?: unknown; readonly observedGeneration?: unknown };
  return {
    ...(Array.isArray(conditions)
      ? { conditions: conditions.filter((condition) => typeof condition === "object" && condition !== null) as ConditionField[] }
      : {}),
    ...(typeof observedGeneration === "number" ? { observedGeneration } : {}),
  };
}
