/**
 * The Job controller: runs pods to completion and counts each of them once.
 *
 *     Jobs, Pods → keys → syncJob;   pods that no Job will count → freeOrphan
 */
import { Job } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import { kindSource, needOf } from "@drover/controller";
import { addOwnerIndex, Expectations } from "@drover/patterns";
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import { AbsentOwners } from "../garbage-collector/absent-owners.ts";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { observedOwner } from "../shared/observed-children.ts";
import { ownerFinder } from "../shared/owner-finder.ts";
import { batched } from "./batched-source.ts";
import type { BackoffTimes } from "./failure-backoff.ts";
import { JobMemory } from "./job-memory.ts";
import { jobPodHandler } from "./job-pod-handler.ts";
import { freeOrphan, orphanPodHandler, orphansOfJob } from "./orphan-pods.ts";
import { syncJob } from "./sync-job.ts";

/** kube-controller-manager's "job-controller". */
export const jobController: ControllerDescriptor = { name: "job-controller", aliases: ["job"], add: addJobController };

/** Maximum pods per sync. */
const burst = 500;
/** Maximum uids in a status. */
const uncountedMax = 500;
const expectationsMs = 5 * 60_000;
const backoffTimes: BackoffTimes = { baseMs: 10_000, capMs: 10 * 60_000 };
/** How long upstream batches changes of pods and status before it syncs. */
const parityBatchMs = 1000;
/** Upstream's first delay after an error. */
const retryMs = 1000;
/** Maximum delay. */
const retryCapMs = 60_000;

function addJobController(context: ControllerContext): void {
  const {
    manager: { cluster },
    preset,
  } = context;
  const { clock } = cluster.runtime;
  const batchMs = preset === "parity" ? parityBatchMs : 0;
  const expectations = new Expectations({ clock, expireMs: expectationsMs });
  const memory = new JobMemory();
  const jobs = sharedInformer(cluster, Job);
  const pods = sharedInformer(cluster, Pod);
  addOwnerIndex(pods);
  const options = {
    jobs,
    pods,
    expectations,
    memory,
    clock,
    burst,
    uncountedMax,
    backoffTimes,
    batchMs,
    expectationsMs,
    events: eventRecorder(context, jobController.name),
  };
  const controller = context.manager.controller({
    ...settings(context, jobController.name),
    reconcile: (run) => syncJob(run, options),
    // Waves of pods are echoes of its own writes, and expected.
    echoesMax: Infinity,
    writes: [needOf(Pod, ["create", "delete", "patch"]), needOf(Job, ["get"]), needOf(Job, ["update"], { subresource: "status" })],
  });
  controller.watch(batched(kindSource(Job, { cluster, writers: false, handler: observedOwner(expectations) }), batchMs));
  controller.watch(
    batched(
      kindSource(Pod, {
        cluster,
        writers: false,
        name: "Pod of a Job",
        handler: jobPodHandler(expectations, memory, ownerFinder(jobs, Job)),
      }),
      batchMs,
    ),
  );
  addOrphans(context);
}

/** A separate loop, so that orphans do not delay Jobs. */
function addOrphans(context: ControllerContext): void {
  const { cluster } = context.manager;
  const [jobs, pods] = [sharedInformer(cluster, Job), sharedInformer(cluster, Pod)];
  addOwnerIndex(pods);
  const options = { jobs, pods, absent: new AbsentOwners({ now: () => cluster.runtime.clock.monotonic() }) };
  const controller = context.manager.controller({
    ...settings(context, `${jobController.name}-orphans`),
    reconcile: (run) => freeOrphan(run, options),
    writes: [needOf(Pod, ["patch"]), needOf(Job, ["get"])],
  });
  controller.watch(kindSource(Job, { cluster, writers: false, name: "Job that is over", handler: orphansOfJob(pods) }));
  controller.watch(kindSource(Pod, { cluster, writers: false, name: "Pod of no Job", handler: orphanPodHandler(jobs) }));
}

/** With the preset "parity", errors back off longer than in other controllers, per key. */
function settings(context: ControllerContext, name: string): ReturnType<typeof controllerSettings> {
  const base = controllerSettings(context, name);
  return {
    ...base,
    retry:
      context.preset === "parity"
        ? { limiter: itemExponentialFailureRateLimiter(retryMs, retryCapMs) }
        : { ...base.retry, capMs: retryCapMs },
  };
}
