/**
 * What can be waited for: questions to an object, or to its absence.
 *
 *     waitFor(client, Deployment, "web", and(exists, conditionTrue("Available")))
 */
import type { ConditionStatus, DeepReadonly, KubeObject } from "@drover/machinery";

/** Whether it is as it should be. `undefined` stands for an object that is not there. Pure, and quick: it is asked at every change. */
export type WaitCondition<T extends KubeObject = KubeObject> = (object: DeepReadonly<T> | undefined) => boolean;

/** The object is there. */
export const exists: WaitCondition = (object) => object !== undefined;

/** The object is not there. */
export const deleted: WaitCondition = (object) => object === undefined;

/** This very object is not there any more; another one of the same name may be. */
export const deletedUid =
  (uid: string): WaitCondition =>
  (object) =>
    object?.metadata.uid !== uid;

/** A condition in the object's status is True; see {@link conditionIs}. */
export const conditionTrue = (type: string): WaitCondition => conditionIs(type, "True");

/**
 * A condition in the object's status has this value, and was set for the object as it is: one that was observed at an older
 * `metadata.generation` does not count. Types are compared as kubectl does, without regard to case.
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
