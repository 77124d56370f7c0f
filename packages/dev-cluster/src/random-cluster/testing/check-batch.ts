/** At the end: Jobs are finished and have counted correctly, CronJobs list their Jobs and keep no more than they may. */
import type { CronJob, Job } from "@drover/api/batch/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podsOf } from "./check-replicas.ts";
import { controllerUid, isActive, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function batchProblems(world: World): readonly string[] {
  return [
    ...world.all("jobs").flatMap((job) => jobProblems(world, job)),
    ...world.all("cronjobs").flatMap((cronJob) => cronJobProblems(world, cronJob)),
  ];
}

const holds = ({ status }: DeepReadonly<Job>, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;

function jobProblems(world: World, job: DeepReadonly<Job>): readonly string[] {
  const {
    metadata: { uid },
    spec,
    status = {},
  } = job;
  const what = `jobs/${keyOf(job)}`;
  const problems: string[] = [];
  const isComplete = holds(job, "Complete");
  const isFailed = holds(job, "Failed");
  if (isComplete === isFailed) problems.push(`${what} should be over, one way: complete ${isComplete}, failed ${isFailed}`);
  if (isComplete && status.succeeded !== spec?.completions)
    problems.push(`${what} is complete with ${status.succeeded ?? 0} of ${spec?.completions ?? 1}`);
  const left = [
    status.active ?? 0,
    status.ready ?? 0,
    status.terminating ?? 0,
    status.uncountedTerminatedPods?.succeeded?.length ?? 0,
    status.uncountedTerminatedPods?.failed?.length ?? 0,
  ];
  if (!left.every((count) => count === 0))
    problems.push(`${what} is over, and says ${left.join("/")} (active/ready/terminating/uncounted)`);
  const active = podsOf(world, uid).filter(isActive);
  if (active.length > 0) problems.push(`${what} is over, and ${active.map(keyOf).join()} are active`);
  return problems;
}

function cronJobProblems(world: World, cronJob: DeepReadonly<CronJob>): readonly string[] {
  const {
    metadata: { uid },
    spec,
    status = {},
  } = cronJob;
  const what = `cronjobs/${keyOf(cronJob)}`;
  const jobs = world.all("jobs").filter((job) => controllerUid(job) === uid);
  const count = (type: string): number => jobs.filter((job) => holds(job, type)).length;
  const active = (status.active ?? []).map((reference) => reference.uid ?? "").toSorted();
  const running = jobs
    .filter((job) => !holds(job, "Complete") && !holds(job, "Failed"))
    .map(({ metadata }) => metadata.uid ?? "")
    .toSorted();
  const times = new Set(jobs.map(({ metadata }) => metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"]));
  return [
    ...(jsonEqual(active, running) ? [] : [`${what} says that ${active.length} Jobs run, and it is ${running.length}`]),
    ...(count("Complete") > (spec?.successfulJobsHistoryLimit ?? 3) ? [`${what} keeps ${count("Complete")} Jobs that succeeded`] : []),
    ...(count("Failed") > (spec?.failedJobsHistoryLimit ?? 1) ? [`${what} keeps ${count("Failed")} Jobs that failed`] : []),
    ...(times.size < jobs.length ? [`${what} has two Jobs for one time`] : []),
  ];
}
