/** Makes room for a preemptor: marks its victims and deletes them, and clears nominations of lesser pods for the same node. */
import { Pod } from "@drover/api/core/v1";
import type { EventRecorder, ReconcileContext } from "@drover/controller";
import { definedOnly, formatTime, isNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { PlacedPod } from "./placed-pod.ts";

export interface SendAwayOptions {
  readonly client: ReconcileContext["client"];
  readonly recorder: EventRecorder;
  readonly now: number;
  /** Name of the scheduler, for the victims' condition. */
  readonly schedulerName: string;
}

/** Evicts the victims; leaves those that are already terminating alone. Rejects when a deletion fails; a retry is safe. */
export async function sendAway(
  victims: readonly PlacedPod[],
  preemptor: DeepReadonly<Pod>,
  node: string,
  { client, recorder, now, schedulerName }: SendAwayOptions,
): Promise<void> {
  for (const { pod, namespace, uid, isLeaving } of victims) {
    if (isLeaving) continue;
    const { name = "" } = pod.metadata;
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "PreemptionByScheduler",
      message: `${schedulerName}: preempting to accommodate a higher priority pod`,
      lastTransitionTime: formatTime(now),
      ...definedOnly({ observedGeneration: pod.metadata.generation }),
    } as const;
    try {
      await client
        .resource(Pod)
        .status.patch(name, { type: "strategic", body: { metadata: { uid }, status: { conditions: [condition] } } }, { namespace });
      await client.delete(Pod, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (isNotFound(error)) continue;
      throw error;
    }
    recorder.eventf({
      regarding: pod,
      related: preemptor,
      type: "Normal",
      reason: "Preempted",
      action: "Preempting",
      note: `Preempted by pod ${preemptor.metadata.uid ?? ""} on node ${node}`,
    });
  }
}

/** Clears a nomination in the pod's status. */
export async function takeBackPromise({ pod, namespace, uid }: PlacedPod, client: ReconcileContext["client"]): Promise<void> {
  try {
    await client
      .resource(Pod)
      .status.patch(
        pod.metadata.name ?? "",
        { type: "merge", body: { metadata: { uid }, status: { nominatedNodeName: null } } },
        { namespace },
      );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
