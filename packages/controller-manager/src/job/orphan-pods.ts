/**
 * Pods that nobody will count any more, and that must not stay for ever because of it: their Job is gone or over, or they are nobody's.
 *
 *     Jobs that end or go, pods with the finalizer → keys of pods → freeOrphan → the finalizer is taken
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

/** Where Jobs and pods are seen. */
export interface OrphanOptions {
  readonly jobs: Pick<InformerView<Job>, "get">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "get" | "listIndexValues">;
  /** Jobs that the server said it does not have. */
  readonly absent: AbsentOwners;
}

/** Of pods: those with the finalizer that may be orphans as far as the cache knows. */
export function orphanPodHandler(jobs: OrphanOptions["jobs"]): Handler<Pod> {
  return (change) =>
    requestsFor(
      change,
      "self",
      change.type !== "deleted" && isTracked(change.object) && whoseIs(change.object, jobs) !== "counted" ? [change.key] : [],
    );
}

/** Of Jobs: the pods of one that is gone or over. */
export function orphansOfJob(pods: OrphanOptions["pods"]): Handler<Job> {
  return (change) =>
    requestsFor(change, "owner", isLast(change) ? ownedChildren<Pod>(pods, change.object).filter(isTracked).map(objectKeyOf) : []);
}

const isLast = (change: Change<Job>): boolean => change.type === "deleted" || isJobFinished(change.object);

/**
 * Takes the finalizer from a pod that is an orphan still.
 *
 * Never from one that was adopted a moment ago, nor from one whose Job is merely not in the cache yet: of such a Job
 * the server is asked, once
 * for all its pods.
 */
export async function freeOrphan(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  { jobs, pods, absent }: OrphanOptions,
): Promise<Result> {
  const pod = pods.get(key);
  if (pod === undefined || !isTracked(pod)) return done;
  const whose = whoseIs(pod, jobs);
  if (whose === "counted" || (whose !== "nobody's" && (await isThere(pod, whose, { client, absent })))) return done;
  await freePod(pod, client, { onlyAsSeen: true }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  return done;
}

/** "counted" by whoever controls it; "nobody's" to count; or the Job that the cache does not have. */
function whoseIs(pod: PodView, jobs: OrphanOptions["jobs"]): "counted" | "nobody's" | DeepReadonly<OwnerReference> {
  const reference = controllerOf(pod);
  if (reference === undefined) return "nobody's";
  if (reference.kind !== Job.kind || reference.apiVersion !== apiVersionOf(Job)) return "counted";
  const job: JobView | undefined = controllerInCache(jobs, Job, pod.metadata.namespace ?? "", reference);
  if (job === undefined) return reference;
  return isManagedElsewhere(job) || !isJobFinished(job) ? "counted" : "nobody's";
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
