/**
 * The CronJob controller: creates a Job at each scheduled time.
 *
 *     CronJobs, Jobs → keys, now or at the next scheduled time → syncCronJob
 */
import { CronJob, Job } from "@drover/api/batch/v1";
import { kindSource, needOf, ownedSource, requestsFor } from "@drover/controller";
import { objectKeyOf } from "@drover/machinery";
import { addOwnerIndex } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import type { CronJobView } from "./cron-job-view.ts";
import { waitMs } from "./missed-runs.ts";
import { scheduleOf } from "./schedule-of.ts";
import { syncCronJob } from "./sync-cron-job.ts";

/** kube-controller-manager's "cronjob-controller". */
export const cronJobController: ControllerDescriptor = { name: "cronjob-controller", aliases: ["cronjob"], add: addCronJobController };

function addCronJobController(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const { clock } = cluster.runtime;
  const cronJobs = sharedInformer(cluster, CronJob);
  const jobs = sharedInformer(cluster, Job);
  addOwnerIndex(jobs);
  const events = eventRecorder(context, cronJobController.name);
  const controller = manager.controller({
    ...controllerSettings(context, cronJobController.name),
    reconcile: (run) => syncCronJob(run, { cronJobs, jobs, events, clock }),
    writes: [needOf(CronJob, ["get"]), needOf(CronJob, ["update"], { subresource: "status" }), needOf(Job, ["create", "delete", "get"])],
  });
  /** A run that only the new schedule would have missed is not made up for at once. */
  const waitForNext = (cronJob: CronJobView): void => {
    const { schedule } = scheduleOf(cronJob);
    if (schedule !== undefined)
      controller.enqueue(objectKeyOf(cronJob), {
        afterMs: Math.max(0, waitMs(cronJob, schedule, clock.now())),
        note: "its schedule changed",
      });
    else
      events.eventf({
        regarding: cronJob,
        type: "Warning",
        reason: "UnParseableCronJobSchedule",
        action: "SyncCronJob",
        note: `unparseable schedule for cronjob: ${cronJob.spec.schedule}`,
      });
  };
  controller.watch(
    kindSource(CronJob, {
      cluster,
      writers: false,
      handler: (change) => {
        if (change.type !== "updated" || !hasOtherSchedule(change.before, change.object))
          return requestsFor(change, "self", [objectKeyOf(change.object)]);
        waitForNext(change.object);
        return [];
      },
    }),
  );
  controller.watch(ownedSource(Job, { cluster, writers: false, owner: CronJob }));
}

const hasOtherSchedule = (before: CronJobView, { spec: { schedule, timeZone } }: CronJobView): boolean =>
  before.spec.schedule !== schedule || before.spec.timeZone !== timeZone;
