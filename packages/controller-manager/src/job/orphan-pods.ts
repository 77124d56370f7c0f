/**
 * Releases pods that no Job will count, so that the finalizer does not keep them forever: their Job is gone or finished, or they
 * have no owner.
 *
 *     Jobs that finish or go, pods with the finalizer → keys of pods → freeOrphan → finalizer removed
 */
import { Job } from "@drover/api/batch/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change, InformerView } from "@drover/cache";
import { done, requestsFor } from "@drover/controller";
import type { Handler, ReconcileContext, Result } from "@drover/controller";
import { apiVersionOf, controllerOf, isNotFound, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";
import { ownedChildren } from "@drover/patterns";
import type { AbsentOwners } from "../garbage-collector/absent-owners.ts";
import { identityOfOwner } from "../garbage-collector/object-identity.ts";
import { controllerInCache } from "../shared/controller-in-cache.ts";
import type { PodView } from "../shared/pod-state.ts";
import { freePod } from "./delete-pods.ts";
import { isJobFinished, isManagedElsewhere, isTracked } from "./job-view.ts";
import type { JobView } from "./job-view.ts";

/** Caches of Jobs and pods. */
export interface OrphanOptions {
  readonly jobs: Pick<InformerView<Job>, "get">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "get" | "listIndexValues">;
  /** Jobs that the server does not have. */
  readonly absent: AbsentOwners;
}

/** For pods: enqueues those with the finalizer that the cache shows as orphans. */
export function orphanPodHandler(jobs: OrphanOptions["jobs"]): Handler<Pod> {
  return (change) =>
    requestsFor(
      change,
      "self",
      change.type !== "deleted" && isTracked(change.object) && whoseIs(change.object, jobs) !== "counted" ? [change.key] : [],
    );
}

/** For Jobs: enqueues the pods of one that is gone or finished. */
export function orphansOfJob(pods: OrphanOptions["pods"]): Handler<Job> {
  return (change) =>
    requestsFor(change, "owner", isLast(change) ? ownedChildren<Pod>(pods, change.object).filter(isTracked).map(objectKeyOf) : []);
}

const isLast = (change: Change<Job>): boolean => change.type === "deleted" || isJobFinished(change.object);

/**
 * Removes the finalizer from a pod that is still an orphan.
 *
 * Never from one that was just adopted, nor from one whose Job is merely missing in the cache: then it asks the server, once for
 * all pods of the Job.
 */
export async function freeOrphan(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  { jobs, pods, absent }: OrphanOptions,
): Promise<Result> {
  const pod = pods.get(key);
  if (pod === undefined || !isTracked(pod)) return done;
  const whose = whoseIs(pod, jobs);
  if (whose === "counted" || (whose !== "orphan" && (await isThere(pod, whose, { client, absent })))) return done;
  await freePod(pod, client, { onlyAsSeen: true }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  return done;
}

/** "counted" by its controller; "orphan" when no Job will count it; or the reference to a Job that the cache lacks. */
function whoseIs(pod: PodView, jobs: OrphanOptions["jobs"]): "counted" | "orphan" | DeepReadonly<OwnerReference> {
  const reference = controllerOf(pod);
  if (reference === undefined) return "orphan";
  if (reference.kind !== Job.kind || reference.apiVersion !== apiVersionOf(Job)) return "counted";
  const job: JobView | undefined = controllerInCache(jobs, Job, pod.metadata.namespace ?? "", reference);
  if (job === undefined) return reference;
  return isManagedElsewhere(job) || !isJobFinished(job) ? "counted" : "orphan";
}

async function isThere(
  { metadata: { namespace = "" } }: PodView,
  reference: DeepReadonly<OwnerReference>,
  { client, absent }: Pick<ReconcileContext, "client"> & Pick<OrphanOptions, "absent">,
): Promise<boolean> {
  const identity = identityOfOwner(reference, namespace);
  if (absent.has(identity)) return false;
  try {
    if ((await client.get(Job, reference.name, { namespace })).metadata.uid === reference.uid) return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  absent.add(identity);
  return false;
}
