/** Removes a pod from the server without its kubelet, which is gone. */
import { Pod } from "@drover/api/core/v1";
import type { PodCondition } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { definedOnly, formatTime, isConflict, isNotFound } from "@drover/machinery";
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";

/** Reason of the removal, shown on the pod. */
export type RemovalReason = Pick<PodCondition, "reason" | "message">;

export interface RemovePodOptions {
  readonly client: Client;
  readonly now: number;
  /** Written as condition DisruptionTarget. @default no condition */
  readonly why?: RemovalReason;
}

/**
 * Marks the pod as failed, unless it finished, and deletes it with no grace period. A pod that is gone, or has been replaced by a
 * namesake, is no failure.
 */
export async function removePod(pod: PodView, { client, now, why }: RemovePodOptions): Promise<void> {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  try {
    if (!isPodFinished(pod))
      await client
        .resource(Pod)
        .status.patch(name, { type: "strategic", body: { metadata: { uid }, status: failedStatus(pod, why, now) } }, { namespace });
    await client.delete(Pod, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function failedStatus(
  { metadata: { generation }, status }: PodView,
  why: RemovalReason | undefined,
  now: number,
): NonNullable<Pod["status"]> {
  const observed = definedOnly({ observedGeneration: generation });
  if (why === undefined) return { phase: "Failed", ...observed };
  const known = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  const lastTransitionTime =
    known?.status === "True" && known.lastTransitionTime !== undefined ? known.lastTransitionTime : formatTime(now);
  return {
    phase: "Failed",
    ...observed,
    conditions: [{ type: "DisruptionTarget", status: "True", ...why, lastTransitionTime, ...observed }],
  };
}
