/**
 * Deletes finished Jobs when their TTL expires.
 *
 *     finished Jobs → timeLeft → later: requeue;  expired: check again on the server, then delete
 */
import { Job } from "@drover/api/batch/v1";
import type { InformerView } from "@drover/cache";
import { after, done, kindSource, needOf } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { isNotFound, splitObjectKey } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { finishedCondition } from "../shared/finished-condition.ts";
import { timeLeft } from "./time-left.ts";

/** kube-controller-manager's "ttl-after-finished-controller". */
export const ttlAfterFinishedController: ControllerDescriptor = {
  name: "ttl-after-finished-controller",
  aliases: ["ttl-after-finished"],
  add: addTtlAfterFinished,
};

function addTtlAfterFinished(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const jobs = sharedInformer(cluster, Job);
  const controller = manager.controller({
    ...controllerSettings(context, ttlAfterFinishedController.name),
    reconcile: (run) => deleteWhenOver(run, jobs, cluster.runtime.clock),
    writes: [needOf(Job, ["delete", "get"])],
  });
  controller.watch(
    kindSource(Job, {
      cluster,
      writers: false,
      name: "Job that ended",
      predicates: [
        ({ type, object }) =>
          type !== "deleted" && object.spec?.ttlSecondsAfterFinished !== undefined && finishedCondition(object) !== undefined,
      ],
    }),
  );
}

/** The cache may lag: reads the Job from the server before deleting it, by uid, with its pods in the foreground. */
export async function deleteWhenOver(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  jobs: Pick<InformerView<Job>, "get">,
  clock: Clock,
): Promise<Result> {
  const cached = jobs.get(key);
  const leftMs = cached === undefined ? undefined : timeLeft(cached, clock.now());
  if (leftMs === undefined) return done;
  if (leftMs > 0) return after(leftMs);
  const { name, namespace } = splitObjectKey(key);
  try {
    const job = await client.get(Job, name, { namespace });
    const reallyMs = timeLeft(job, clock.now());
    if (reallyMs === undefined) return done;
    if (reallyMs > 0) return after(reallyMs);
    await client.delete(Job, name, { namespace, propagationPolicy: "Foreground", preconditions: { uid: job.metadata.uid ?? "" } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done;
}
