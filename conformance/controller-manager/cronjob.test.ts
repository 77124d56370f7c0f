/** CronJobs on a server: a Job for every scheduled time, whatever happens in between. */
import { CronJob, Job } from "@drover/api/batch/v1";
import { compareBytes, formatTime, parseTime } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { ManualScene, Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["cronjob"] };
const jobTemplate: CronJob["spec"]["jobTemplate"] = {
  metadata: { labels: { app: "report" }, annotations: { note: "kept" } },
  spec: {
    template: {
      metadata: { labels: { app: "report" } },
      spec: { restartPolicy: "Never", containers: [{ name: "report", image: "report:1" }] },
    },
  },
};

/** On the real server no test waits a minute: the status says that the last run was this many minutes ago. */
async function createDue(scene: Scene, spec: Partial<CronJob["spec"]> = {}, minutesAgo = 2): Promise<void> {
  const { metadata } = await scene.client.create(CronJob, {
    metadata: { name: "report" },
    spec: { schedule: "* * * * *", jobTemplate, ...spec, suspend: true },
  });
  await ranBefore(scene, metadata.creationTimestamp ?? "", minutesAgo);
  await scene.change(CronJob, "report", { spec: { suspend: false } });
}

async function ranBefore(scene: Scene, now: string, minutesAgo: number): Promise<void> {
  const minute = Math.floor(parseTime(now) / 60_000) - minutesAgo;
  await scene.client
    .resource(CronJob)
    .status.patch("report", { type: "merge", body: { status: { lastScheduleTime: formatTime(minute * 60_000) } } });
}

const jobNames = async (scene: Scene): Promise<readonly string[]> =>
  (await scene.list(Job)).map(({ metadata: { name = "" } }) => name).toSorted(compareBytes);
const cronJob = (scene: Scene): Promise<CronJob> => scene.client.get(CronJob, "report");
const activeNames = async (scene: Scene): Promise<readonly string[]> =>
  ((await cronJob(scene)).status?.active ?? []).map(({ name = "" }) => name);
const told = async (scene: Scene, reason: string): Promise<readonly string[]> =>
  (await scene.events()).filter((text) => text.startsWith(`${reason} `));
const untilTold = (scene: Scene, reason: string, count = 1): Promise<void> =>
  scene.until(`${reason} is told`, async () => (await told(scene, reason)).length >= count);

/** The first Job, once it exists and is in the list of active ones. */
async function firstJob(scene: Scene): Promise<string> {
  await scene.until("a Job runs", async () => (await activeNames(scene)).length === 1);
  return (await activeNames(scene))[0] ?? "";
}

async function endJob(scene: Scene, name: string, how: "Complete" | "Failed", at: string): Promise<void> {
  const sign = how === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const conditions = [sign, how].map((type) => ({ type, status: "True", lastProbeTime: at, lastTransitionTime: at }));
  const status = {
    startTime: at,
    conditions,
    uncountedTerminatedPods: {},
    ...(how === "Complete" ? { completionTime: at, succeeded: 1 } : { failed: 1 }),
  };
  await scene.client.resource(Job).status.patch(name, { type: "merge", body: { status } });
}

const ownJob = async (scene: Scene, name: string): Promise<void> => {
  const {
    metadata: { uid = "" },
  } = await cronJob(scene);
  const owner = { apiVersion: "batch/v1", kind: "CronJob", name: "report", uid, controller: true, blockOwnerDeletion: true };
  await scene.client.create(Job, { ...jobTemplate, metadata: { name, ownerReferences: [owner] } });
};

describeScenes("a CronJob", (open) => {
  it("creates a Job at its time, lists it while it is active, and records its success", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createDue(scene);
    const name = await firstJob(scene);
    const { metadata, status } = await cronJob(scene);
    const job = await scene.client.get(Job, name);
    const time = status?.lastScheduleTime ?? "";
    expect(name).toBe(`report-${parseTime(time) / 60_000}`);
    expect(job.metadata).toMatchObject({
      labels: { app: "report" },
      annotations: { note: "kept", "batch.kubernetes.io/cronjob-scheduled-timestamp": time },
      ownerReferences: [
        { apiVersion: "batch/v1", kind: "CronJob", name: "report", uid: metadata.uid, controller: true, blockOwnerDeletion: true },
      ],
    });
    expect(status?.active).toEqual([
      {
        apiVersion: "batch/v1",
        kind: "Job",
        name,
        namespace: metadata.namespace,
        uid: job.metadata.uid,
        resourceVersion: status?.active?.[0]?.resourceVersion,
      },
    ]);
    await untilTold(scene, "SuccessfulCreate");
    expect(await told(scene, "SuccessfulCreate")).toEqual([`SuccessfulCreate Created job ${name}`]);
    const end = job.metadata.creationTimestamp ?? "";
    await endJob(scene, name, "Complete", end);
    await scene.until("it has ended", async () => (await activeNames(scene)).length === 0);
    expect((await cronJob(scene)).status).toMatchObject({ lastScheduleTime: time, lastSuccessfulTime: end });
    await untilTold(scene, "SawCompletedJob");
    expect(await told(scene, "SawCompletedJob")).toEqual([`SawCompletedJob Saw completed job: ${name}, condition: Complete`]);
  });

  it("keeps the configured number of finished Jobs, and deletes the oldest", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(CronJob, {
      metadata: { name: "report" },
      spec: { schedule: "0 0 1 1 *", jobTemplate, suspend: true, successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 },
    });
    const times = ["2025-01-01T00:00:03Z", "2025-01-01T00:00:01Z", "2025-01-01T00:00:04Z", "2025-01-01T00:00:02Z"];
    for (const [index, time] of times.entries()) {
      await ownJob(scene, `done-${index}`);
      await endJob(scene, `done-${index}`, "Complete", time);
    }
    await ownJob(scene, "failed");
    await endJob(scene, "failed", "Failed", times[0] ?? "");
    await scene.until("two are left", async () => (await jobNames(scene)).length === 2);
    expect(await jobNames(scene)).toEqual(["done-0", "done-2"]);
    await untilTold(scene, "SuccessfulDelete", 3);
    expect((await told(scene, "SuccessfulDelete")).toSorted()).toEqual(
      ["done-1", "done-3", "failed"].map((name) => `SuccessfulDelete Deleted job ${name}`),
    );
  });

  it("with Forbid skips a run while a Job is active, and records an Event", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createDue(scene, { concurrencyPolicy: "Forbid" });
    const name = await firstJob(scene);
    await ranBefore(scene, (await scene.client.get(Job, name)).metadata.creationTimestamp ?? "", 5);
    // A time other than the Job's: its own name would already prevent a second Job.
    await scene.client.resource(CronJob).status.patch("report", {
      type: "merge",
      body: { status: { active: [{ ...(await cronJob(scene)).status?.active?.[0], name: "other" }] } },
    });
    await untilTold(scene, "JobAlreadyActive");
    expect(await jobNames(scene)).toEqual([name]);
  });

  it("with Replace deletes the active Job, and creates the next", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(CronJob, {
      metadata: { name: "report" },
      spec: { schedule: "* * * * *", jobTemplate, suspend: true, concurrencyPolicy: "Replace" },
    });
    await ownJob(scene, "before");
    const {
      metadata: { creationTimestamp, uid = "", namespace = "" },
    } = await scene.client.get(Job, "before");
    await scene.client.resource(CronJob).status.patch("report", {
      type: "merge",
      body: { status: { active: [{ apiVersion: "batch/v1", kind: "Job", name: "before", namespace, uid }] } },
    });
    await ranBefore(scene, creationTimestamp ?? "", 2);
    await scene.change(CronJob, "report", { spec: { suspend: false } });
    await scene.until("another runs", async () => (await activeNames(scene))[0]?.startsWith("report-") === true);
    expect(await jobNames(scene)).toEqual(await activeNames(scene));
    await untilTold(scene, "SuccessfulDelete");
    expect(await told(scene, "SuccessfulDelete")).toEqual(["SuccessfulDelete Deleted job before"]);
  });

  it("removes a deleted Job from the list, and does not repeat that run", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createDue(scene);
    const name = await firstJob(scene);
    await scene.client.delete(Job, name, { propagationPolicy: "Background" });
    await scene.until("it is missed", async () => (await activeNames(scene)).every((active) => active !== name));
    await untilTold(scene, "MissingJob");
    expect([await told(scene, "MissingJob"), (await jobNames(scene)).includes(name)]).toEqual([
      [`MissingJob Active job went missing: ${name}`],
      false,
    ]);
  });

  it("does nothing while it is suspended, and reports a Job that it did not create", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(CronJob, { metadata: { name: "report" }, spec: { schedule: "* * * * *", jobTemplate, suspend: true } });
    await ranBefore(scene, (await cronJob(scene)).metadata.creationTimestamp ?? "", 5);
    await ownJob(scene, "by-hand");
    await untilTold(scene, "UnexpectedJob");
    expect([await told(scene, "UnexpectedJob"), await jobNames(scene)]).toEqual([
      ["UnexpectedJob Saw a job that the controller did not create or forgot: by-hand"],
      ["by-hand"],
    ]);
  });

  it("runs only the last of many missed times, and warns", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createDue(scene, {}, 102);
    await firstJob(scene);
    await untilTold(scene, "TooManyMissedTimes");
    expect(await jobNames(scene)).toHaveLength(1);
  });

  it("never runs on a day that no month has", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(CronJob, { metadata: { name: "report" }, spec: { schedule: "0 0 31 2 *", jobTemplate } });
    await untilTold(scene, "InvalidSchedule");
    expect(await told(scene, "InvalidSchedule")).toEqual([
      "InvalidSchedule invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second",
    ]);
  });
});

describe("a CronJob, on a manual clock", () => {
  const scenes: ManualScene[] = [];
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });
  const open = async (options: SceneOptions = {}): Promise<ManualScene> => {
    const scene = await manualScene({ ...only, ...options });
    scenes.push(scene);
    return scene;
  };
  const create = (scene: Scene, spec: Partial<CronJob["spec"]>): Promise<CronJob> =>
    scene.client.create(CronJob, {
      metadata: { name: "report" },
      spec: { schedule: "* * * * *", jobTemplate, successfulJobsHistoryLimit: 100, ...spec },
    });
  const times = async (scene: Scene): Promise<readonly string[]> =>
    (await scene.list(Job))
      .map(({ metadata: { annotations = {} } }) => annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] ?? "")
      .toSorted(compareBytes);

  it("creates one Job per scheduled time, also across restarts of the controllers", { timeout: 60_000 }, async () => {
    const scene = await open();
    await create(scene, { schedule: "*/10 * * * *" });
    for (let restart = 0; restart < 6; restart++) {
      await scene.settle(10 * 60_000);
      await scene.restart();
    }
    expect(await times(scene)).toEqual([10, 20, 30, 40, 50].map((minute) => `2026-01-01T00:${minute}:00Z`).concat("2026-01-01T01:00:00Z"));
    expect(scene.complaints()).toEqual([]);
  });

  it("follows its time zone through the start of daylight saving time", { timeout: 60_000 }, async () => {
    // The night before is in another month, which only the long mode covers.
    const isLong = process.env["DROVER_LONG"] === "1";
    const scene = await open({ nowMs: parseTime(isLong ? "2026-03-28T00:00:00+01:00" : "2026-03-29T00:00:00+01:00") });
    await create(scene, { schedule: "30 1,2,3 * * *", timeZone: "Europe/Berlin" });
    for (let hour = 0; hour < (isLong ? 27 : 3); hour++) await scene.settle(60 * 60_000);
    expect(await times(scene)).toEqual([
      ...(isLong ? ["2026-03-28T01:30:00+01:00", "2026-03-28T02:30:00+01:00", "2026-03-28T03:30:00+01:00"] : []),
      "2026-03-29T01:30:00+01:00",
      "2026-03-29T03:30:00+02:00",
    ]);
  });

  it("skips a run that is later than its deadline", { timeout: 60_000 }, async () => {
    const scene = await open();
    await create(scene, { schedule: "0 * * * *", suspend: true, startingDeadlineSeconds: 600 });
    await scene.settle(75 * 60_000);
    await scene.change(CronJob, "report", { spec: { suspend: false } });
    await scene.settle(1000);
    expect(await jobNames(scene)).toEqual([]);
    await scene.settle(50 * 60_000);
    expect(await times(scene)).toEqual(["2026-01-01T02:00:00Z"]);
  });

  it("waits for the next time of a changed schedule, and does not run times before the change", { timeout: 60_000 }, async () => {
    const scene = await open();
    await create(scene, { schedule: "0 12 * * *" });
    await scene.settle(10 * 60 * 60_000);
    await scene.change(CronJob, "report", { spec: { schedule: "0 9,11 * * *" } });
    await scene.settle(1000);
    expect(await times(scene)).toEqual([]);
    await scene.settle(60 * 60_000);
    expect(await times(scene)).toEqual(["2026-01-01T11:00:00Z"]);
  });
});
