/** Running pods of a Job that go, all at once. */
import { Pod } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { isNotFound } from "@drover/machinery";
import { deletePod } from "../shared/pod-control.ts";
import type { PodControl } from "../shared/pod-control.ts";
import { isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isTracked, trackingFinalizer } from "./job-view.ts";
import type { JobView } from "./job-view.ts";

/** How it went. */
export interface DeletedPods {
  /** How many went, and how many of these were ready. */
  readonly count: number;
  readonly ready: number;
  /** Those that did not go, or were gone before. */
  readonly unseen: readonly PodView[];
  /** The first of the refusals; absent when there was none. */
  readonly error?: unknown;
}

/** @param areCounted - whether they keep the finalizer, to be counted as failed. Without it they go as if they had never been. */
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

/** How sure one has to be. */
export interface FreePodOptions {
  /** Whether a pod that has changed since it was seen is left alone: then it rejects with a conflict. @default false */
  readonly onlyAsSeen?: boolean;
}

/** Takes the finalizer off the pod; the others stay. A pod of the same name that came later is not touched. */
export async function freePod(
  { metadata: { name = "", namespace = "", uid = "", resourceVersion = "" } }: PodView,
  client: Client,
  { onlyAsSeen = false }: FreePodOptions = {},
): Promise<void> {
  const metadata = { uid, ...(onlyAsSeen ? { resourceVersion } : {}), "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] };
  await client.patch(Pod, name, { type: "strategic", body: { metadata } }, { namespace });
}
