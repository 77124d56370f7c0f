/** Deletes running pods of a Job in parallel. */
import { Pod } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { isNotFound } from "@drover/machinery";
import { deletePod } from "../shared/pod-control.ts";
import type { PodControl } from "../shared/pod-control.ts";
import { isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isTracked, trackingFinalizer } from "./job-view.ts";
import type { JobView } from "./job-view.ts";

/** Result of `deletePods`. */
export interface DeletedPods {
  /** Number of deleted pods, and how many of them were ready. */
  readonly count: number;
  readonly ready: number;
  /** Pods that were not deleted, or were gone before. */
  readonly unseen: readonly PodView[];
  /** The first error; absent on success. */
  readonly error?: unknown;
}

/** @param areCounted - whether they keep the finalizer and will count as failed. Without it they leave no trace. */
export async function deletePods(job: JobView, pods: readonly PodView[], control: PodControl, areCounted: boolean): Promise<DeletedPods> {
  const results = await Promise.all(
    pods.map(
      async (pod): Promise<{ readonly pod: PodView; readonly isGone: boolean; readonly isUnseen: boolean; readonly error?: unknown }> => {
        try {
          if (!areCounted && isTracked(pod)) await freePod(pod, control.client);
          await deletePod(pod.metadata.name ?? "", job, control);
          return { pod, isGone: true, isUnseen: false };
        } catch (error) {
          return isNotFound(error) ? { pod, isGone: true, isUnseen: true } : { pod, isGone: false, isUnseen: true, error };
        }
      },
    ),
  );
  const gone = results.filter(({ isGone }) => isGone);
  const failed = results.find((result) => "error" in result);
  return {
    count: gone.length,
    ready: gone.filter(({ pod }) => isPodReady(pod)).length,
    unseen: results.filter(({ isUnseen }) => isUnseen).map(({ pod }) => pod),
    ...(failed === undefined ? {} : { error: failed.error }),
  };
}

/** Options of `freePod`. */
export interface FreePodOptions {
  /** Whether to reject with a conflict when the pod changed since it was read. @default false */
  readonly onlyAsSeen?: boolean;
}

/** Removes the Job finalizer from the pod and leaves other finalizers. Does not touch a later pod of the same name. */
export async function freePod(
  { metadata: { name = "", namespace = "", uid = "", resourceVersion = "" } }: PodView,
  client: Client,
  { onlyAsSeen = false }: FreePodOptions = {},
): Promise<void> {
  const metadata = { uid, ...(onlyAsSeen ? { resourceVersion } : {}), "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] };
  await client.patch(Pod, name, { type: "strategic", body: { metadata } }, { namespace });
}
