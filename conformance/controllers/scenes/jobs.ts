/** Jobs that succeed, fail, are suspended or exceed their deadline; CronJobs that create them. */
import { CronJob, Job } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import { create, patch, remove, scene, step, until } from "../scene.ts";
import type { Condition, Scene } from "../scene.ts";
import { all, counts, gone, rest, somePods, template } from "../scene-objects.ts";
import type { Conduct } from "../scene-objects.ts";

type JobSpec = NonNullable<Job["spec"]>;

const work = (conduct: Conduct = {}, restartPolicy: "Never" | "OnFailure" = "Never"): JobSpec["template"] =>
  template({ image: "work:1", labels: { app: "work" }, conduct, spec: { restartPolicy } });
const job = (spec: Partial<JobSpec> = {}, name = "work"): Job => ({ metadata: { name }, spec: { template: work(), ...spec } });
const ends = (type: "Complete" | "Failed", name = "work"): Condition =>
  until(
    `${name} is ${type}`,
    (view) => view.get(Job, name)?.status?.conditions?.some((found) => found.type === type && found.status === "True") === true,
  );
const runs = (name: string, spec: Partial<JobSpec>, type: "Complete" | "Failed" = "Complete"): Scene =>
  scene(name, step("create", [create(Job, job(spec))], ends(type)));
const active = (count: number): Condition =>
  until(`${count} active and ready`, (view) => {
    const { status } = view.get(Job, "work") ?? {};
    return (status?.active ?? 0) === count && (status?.ready ?? 0) === count && (status?.terminating ?? 0) === 0;
  });
const long = work({ "exit-after": "1h" });
const suspended = (is: boolean): Condition =>
  until(
    is ? "suspended" : "resumed",
    (view) =>
      view.get(Job, "work")?.status?.conditions?.some(({ type, status }) => type === "Suspended" && status === (is ? "True" : "False")) ===
      true,
  );
const change = (name: string, body: object, condition: Condition) => step(name, [patch(Job, "work", body)], condition);

export const jobs: readonly Scene[] = [
  runs("a Job", {}),
  runs("a Job with several completions", { completions: 4, parallelism: 2 }),
  runs("a Job of a work queue", { parallelism: 3 }),
  runs("a Job that takes a while", { completions: 2, parallelism: 2, template: work({ "exit-after": "2s" }) }),
  runs("a Job that fails at once", { backoffLimit: 0, template: work({ "exit-code": "1" }) }, "Failed"),
  runs("a Job that fails twice", { backoffLimit: 1, template: work({ "exit-code": "1" }) }, "Failed"),
  runs(
    "a Job whose containers are restarted",
    { backoffLimit: 0, template: work({ "exit-code": "1", "exit-after": "1s" }, "OnFailure") },
    "Failed",
  ),
  runs("a Job out of time", { activeDeadlineSeconds: 3, template: long }, "Failed"),
  runs("an indexed Job", { completions: 3, parallelism: 3, completionMode: "Indexed" }),
  runs("an indexed Job, one after the other", { completions: 3, parallelism: 1, completionMode: "Indexed" }),
  runs(
    "a limit for each index",
    { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 0, template: work({ "exit-code": "1" }) },
    "Failed",
  ),
  runs(
    "too many failed indexes",
    {
      completions: 3,
      parallelism: 1,
      completionMode: "Indexed",
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 1,
      template: work({ "exit-code": "1" }),
    },
    "Failed",
  ),
  runs(
    "a failure policy that fails the Job",
    {
      backoffLimit: 6,
      template: work({ "exit-code": "42" }),
      podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [42] } }] },
    },
    "Failed",
  ),
  runs(
    "a failure policy that fails the index",
    {
      completions: 2,
      parallelism: 2,
      completionMode: "Indexed",
      backoffLimitPerIndex: 3,
      template: work({ "exit-code": "42" }),
      podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [42] } }] },
    },
    "Failed",
  ),
  runs("a success policy", {
    completions: 3,
    parallelism: 1,
    completionMode: "Indexed",
    successPolicy: { rules: [{ succeededCount: 1 }] },
  }),
  scene(
    "a Job that is cleaned up",
    step("create", [create(Job, job({ ttlSecondsAfterFinished: 5 }))], ends("Complete")),
    step("time passes", [], all(gone(Job), gone(Pod))),
  ),
  scene(
    "a Job that is suspended and resumed",
    step("create", [create(Job, job({ parallelism: 2, completions: 2, suspend: true, template: long }))], suspended(true)),
    change("resume", { spec: { suspend: false } }, active(2)),
    change("suspend", { spec: { suspend: true } }, all(suspended(true), gone(Pod))),
    change("resume again", { spec: { suspend: false } }, active(2)),
  ),
  scene(
    "a Job made wider and narrower",
    step("create", [create(Job, job({ parallelism: 2, completions: 8, template: long }))], active(2)),
    change("wider", { spec: { parallelism: 4 } }, active(4)),
    change("narrower", { spec: { parallelism: 1 } }, active(1)),
    change("nothing", { spec: { parallelism: 0 } }, active(0)),
  ),
  scene(
    "a pod of a Job that is deleted",
    step("create", [create(Job, job({ template: long }))], active(1)),
    step("deleted", [remove(Pod, somePods(1))], all(active(1), counts(Pod, 1))),
  ),
  scene(
    "a pod that is replaced when it has failed",
    step(
      "create",
      [create(Job, job({ template: work({ "exit-after": "1h", "stop-after": "3s" }), podReplacementPolicy: "Failed" }))],
      active(1),
    ),
    step(
      "deleted",
      [remove(Pod, somePods(1))],
      until(
        "another",
        (view) => view.list(Pod).some(({ metadata }) => metadata.deletionTimestamp === undefined) && view.list(Pod).length === 1,
      ),
    ),
  ),
  scene(
    "a Job that is deleted",
    step("create", [create(Job, job({ parallelism: 2, completions: 2, template: long }))], active(2)),
    step("deleted", [remove(Job, "work", "Background")], all(gone(Job), gone(Pod))),
  ),
  scene(
    "a Job that orphans its pods",
    step("create", [create(Job, job({ template: long }))], active(1)),
    step(
      "deleted",
      [remove(Job, "work", "Orphan")],
      all(
        gone(Job),
        counts(Pod, 1, ({ metadata }) => (metadata.finalizers ?? []).length === 0),
      ),
    ),
  ),
  scene("a Job of somebody else's", step("create", [create(Job, job({ managedBy: "example.com/other" }))], rest)),
];

const cronJob = (spec: Partial<NonNullable<CronJob["spec"]>> = {}): CronJob => ({
  metadata: { name: "tick" },
  spec: { schedule: "0 0 1 1 *", jobTemplate: { metadata: { labels: { from: "tick" } }, spec: { template: work() } }, ...spec },
});
const byHand = create(Job, (view) => ({
  metadata: {
    name: "by-hand",
    annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
    ownerReferences: [
      { apiVersion: "batch/v1", kind: "CronJob", name: "tick", uid: view.get(CronJob, "tick")?.metadata.uid ?? "", controller: true },
    ],
  },
  spec: view.get(CronJob, "tick")?.spec?.jobTemplate.spec ?? { template: work() },
}));
const ticked: Condition = until("one Job is done", (view) => {
  const made = view.list(Job);
  return (
    made.length === 1 &&
    (view.get(CronJob, "tick")?.status?.active ?? []).length === 0 &&
    made.every(({ status }) => status?.conditions?.some((found) => found.type === "Complete" && found.status === "True") === true)
  );
});

export const cronJobs: readonly Scene[] = [
  scene(
    "a CronJob, suspended, and a Job by hand",
    step("create", [create(CronJob, cronJob({ suspend: true }))], rest),
    step("by hand", [byHand], ends("Complete", "by-hand")),
    step("deleted", [remove(CronJob, "tick")], all(gone(CronJob), gone(Job), gone(Pod))),
  ),
  scene(
    "a CronJob that is due",
    step("create", [create(CronJob, cronJob({ schedule: "* * * * *" }))], ticked),
    step("suspended", [patch(CronJob, "tick", { spec: { suspend: true } })], rest),
  ),
  scene(
    "a CronJob without a history",
    step(
      "create",
      [create(CronJob, cronJob({ schedule: "* * * * *", successfulJobsHistoryLimit: 0 }))],
      until(
        "a Job was there and is not",
        (view) => view.get(CronJob, "tick")?.status?.lastSuccessfulTime !== undefined && view.list(Job).length === 0,
      ),
    ),
  ),
];
