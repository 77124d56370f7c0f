import type { CronJob, CronJobSpec, Job } from "@drover/api/batch/v1";
import { newAlreadyExists, newForbidden, newNotFound, objectKey } from "@drover/machinery";
import type { DeepReadonly, Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { cronJob, job } from "../testing/cron-job-objects.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { ago, start } from "../testing/workload-objects.ts";
import { syncCronJob } from "./sync-cron-job.ts";

/** The run that is due at `start`, midnight. */
const dueName = `report-${start / 60_000}`;
const jobs = { group: "batch", resource: "jobs" };
const hourMs = 3_600_000;

interface Look {
  readonly result: Awaited<ReturnType<typeof syncCronJob>>;
  readonly requests: readonly string[];
  readonly told: readonly string[];
  /** What was written, if anything was. */
  readonly status: CronJob["status"];
}

interface Scene {
  readonly jobs?: readonly DeepReadonly<Job>[];
  /** What the server has and the cache does not. */
  readonly live?: Readonly<Record<string, unknown>>;
  readonly refuse?: (what: string) => Status | undefined;
}

async function look(wanted: DeepReadonly<CronJob>, { jobs: owned = [], live = {}, refuse = () => undefined }: Scene = {}): Promise<Look> {
  const server = echoServer(refuse);
  for (const [place, object] of Object.entries(live)) server.objects.set(place, object);
  const events = recordingEvents();
  const result = await syncCronJob(
    { key: objectKey("report", "shop"), client: server.client, signal: new AbortController().signal },
    { cronJobs: await syncedInformer<CronJob>(wanted), jobs: await syncedInformer<Job>(...owned), events, clock: server.clock },
  );
  const written = server.asked.find(({ what }) => what === "PUT cronjobs/report/status");
  return { result, requests: server.requests(), told: events.told, status: written?.body["status"] as CronJob["status"] };
}

const active = (...names: readonly string[]): NonNullable<CronJob["status"]>["active"] & object =>
  names.map((name) => ({ kind: "Job", name, namespace: "shop", uid: `${name}-uid` }));
const due = (spec: Partial<CronJobSpec> = {}, status: CronJob["status"] = {}): DeepReadonly<CronJob> =>
  cronJob({ created: ago(3500), spec, status });

describe("syncCronJob", () => {
  it("starts a due run, writes the status once, and requeues for the next time", async () => {
    const { result, requests, told, status } = await look(due());
    expect(requests).toEqual(["POST jobs", "PUT cronjobs/report/status"]);
    expect(status).toMatchObject({
      lastScheduleTime: ago(0),
      active: [{ apiVersion: "batch/v1", kind: "Job", name: dueName, namespace: "shop", resourceVersion: "1001" }],
    });
    expect(told).toEqual([`Normal SuccessfulCreate Created job ${dueName}`]);
    expect(result).toEqual({ type: "after", afterMs: hourMs + 100 });
  });

  it("requeues without a request when no run is due", async () => {
    expect(await look(cronJob({ created: ago(0) }))).toEqual({
      result: { type: "after", afterMs: hourMs + 100 },
      requests: [],
      told: [],
      status: undefined,
    });
  });

  it.each<[string, DeepReadonly<CronJob>, readonly string[]]>([
    ["is suspended", due({ suspend: true }), []],
    ["is being deleted", cronJob({ created: ago(3500), isDeleting: true }), []],
    [
      "has an unknown zone",
      due({ timeZone: "Mars/Base" }),
      ['Warning UnknownTimeZone invalid timeZone: "Mars/Base": unknown time zone Mars/Base'],
    ],
    [
      "has a schedule that cannot be read",
      due({ schedule: "60 * * * *" }),
      ['Warning UnparseableSchedule unparseable schedule: "60 * * * *" : end of range (60) above maximum (59): 60'],
    ],
    [
      "has a schedule that never comes",
      due({ schedule: "0 0 31 2 *" }),
      ["Warning InvalidSchedule invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second"],
    ],
  ])("does nothing and does not requeue when it %s", async (_what, wanted, told) => {
    expect(await look(wanted)).toEqual({ result: { type: "done" }, requests: [], told, status: undefined });
  });

  it("warns about a zone in the schedule and uses it", async () => {
    const { told, requests } = await look(due({ schedule: "TZ=Asia/Kolkata 30 5 * * *" }));
    expect([told[0], requests[0]]).toEqual([
      expect.stringContaining('Warning UnsupportedSchedule CRON_TZ or TZ used in schedule "TZ=Asia/Kolkata 30 5 * * *"'),
      "POST jobs",
    ]);
  });

  it("starts no run past its deadline, and requeues", async () => {
    const late = { schedule: "58 23 * * *", startingDeadlineSeconds: 110 };
    expect(await look(due(late))).toEqual({
      result: { type: "after", afterMs: 24 * hourMs - 120_000 + 100 },
      requests: [],
      told: [],
      status: undefined,
    });
    expect((await look(due({ ...late, startingDeadlineSeconds: 121 }))).requests[0]).toBe("POST jobs");
  });

  it("warns about too many missed runs and starts the last", async () => {
    const { told } = await look(due({}, { lastScheduleTime: ago(101 * 3600) }));
    expect(told).toEqual([
      "Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
      `Normal SuccessfulCreate Created job ${dueName}`,
    ]);
  });

  it("starts no run twice: neither when its time is recorded nor when its Job is active", async () => {
    expect((await look(due({}, { lastScheduleTime: ago(0) }))).requests).toEqual([]);
    expect((await look(due({}, { active: active(dueName) }), { jobs: [job({ name: dueName })] })).requests).toEqual([]);
  });

  it("keeps the active Job under Forbid and records an event", async () => {
    const { requests, told, result } = await look(due({ concurrencyPolicy: "Forbid" }, { active: active("before") }), {
      jobs: [job({ name: "before" })],
    });
    expect([requests, told, result.type]).toEqual([
      [],
      ["Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid"],
      "after",
    ]);
  });

  it("starts a second Job under Allow", async () => {
    const { status } = await look(due({ concurrencyPolicy: "Allow" }, { active: active("before") }), { jobs: [job({ name: "before" })] });
    expect(status?.active?.map(({ name }) => name)).toEqual(["before", dueName]);
  });

  it("deletes the active Job under Replace", async () => {
    const before = job({ name: "before" });
    const { requests, told, status } = await look(due({ concurrencyPolicy: "Replace" }, { active: active("before") }), {
      jobs: [before],
      live: { "jobs/before": before },
    });
    expect(requests).toEqual(["GET jobs/before", "DELETE jobs/before", "POST jobs", "PUT cronjobs/report/status"]);
    expect([told[0], status?.active?.map(({ name }) => name)]).toEqual(["Normal SuccessfulDelete Deleted job before", [dueName]]);
  });

  it("starts no run under Replace when the active Job cannot be read or deleted, and retries", async () => {
    const before = job({ name: "before" });
    const replace = due({ concurrencyPolicy: "Replace" }, { active: active("before") });
    const unread = await look(replace, { jobs: [before] });
    expect([unread.requests, unread.told, unread.result.type]).toEqual([
      ["GET jobs/before"],
      [expect.stringContaining("Warning FailedGet Get job: ")],
      "retry",
    ]);
    const undeleted = await look(replace, {
      jobs: [before],
      live: { "jobs/before": before },
      refuse: (what) => (what.startsWith("DELETE") ? newForbidden(jobs, "before", "no") : undefined),
    });
    expect([undeleted.told, undeleted.result]).toEqual([
      [expect.stringContaining("Warning FailedDelete Deleted job: ")],
      { type: "retry", error: new Error("could not replace job shop/before") },
    ]);
  });

  it("writes the status, records an event and retries when the Job cannot be created", async () => {
    const { result, requests, told, status } = await look(due({}, { active: active("before") }), {
      jobs: [job({ name: "before", end: "Failed" })],
      refuse: (what) => (what === "POST jobs" ? newForbidden(jobs, dueName, "quota") : undefined),
    });
    expect(requests).toEqual(["POST jobs", "PUT cronjobs/report/status"]);
    expect([told[1], status, result.type]).toEqual([expect.stringContaining("Warning FailedCreate Error creating job: "), {}, "retry"]);
  });

  it("neither records an event nor retries in a terminating namespace", async () => {
    const terminating = newForbidden(jobs, dueName, "going");
    const refusal: Status = { ...terminating, details: { ...terminating.details, causes: [{ reason: "NamespaceTerminating" }] } };
    const { result, told } = await look(due(), { refuse: (what) => (what === "POST jobs" ? refusal : undefined) });
    expect([result, told]).toEqual([{ type: "done" }, []]);
  });

  it("adopts its own Job of the same name and leaves another owner's alone", async () => {
    const refuse = (what: string): Status | undefined => (what === "POST jobs" ? newAlreadyExists(jobs, dueName) : undefined);
    const own = await look(due(), { refuse, live: { [`jobs/${dueName}`]: job({ name: dueName }) } });
    expect([own.status?.active?.map(({ name }) => name), own.told]).toEqual([[dueName], []]);
    const strange = await look(due(), { refuse, live: { [`jobs/${dueName}`]: job({ name: dueName, isOwned: false }) } });
    expect([strange.status, strange.result]).toEqual([undefined, { type: "after", afterMs: hourMs + 100 }]);
  });
});

describe("syncCronJob with existing Jobs", () => {
  const idle = (status: CronJob["status"] = {}, spec: Partial<CronJobSpec> = {}): DeepReadonly<CronJob> =>
    cronJob({ spec: { suspend: true, ...spec }, status });

  it("removes finished Jobs from the active list and keeps the last success time", async () => {
    const ended = [
      job({ name: "a", end: "Complete", endTime: ago(20) }),
      job({ name: "b", end: "Complete", endTime: ago(10) }),
      job({ name: "c", end: "Failed", endTime: ago(5) }),
    ];
    const { status, told } = await look(idle({ active: active("a", "c") }), { jobs: ended });
    expect(status).toEqual({ lastSuccessfulTime: ago(10) });
    expect(told).toEqual([
      "Normal SawCompletedJob Saw completed job: a, condition: Complete",
      "Normal SawCompletedJob Saw completed job: c, condition: Failed",
    ]);
    expect((await look(idle({ lastSuccessfulTime: ago(5) }), { jobs: ended })).requests).toEqual([]);
  });

  it("removes a Job from the active list when the server confirms that it is gone", async () => {
    const gone = await look(idle({ active: active("a") }));
    expect([gone.requests, gone.told, gone.status]).toEqual([
      ["GET jobs/a", "PUT cronjobs/report/status"],
      ["Normal MissingJob Active job went missing: a"],
      {},
    ]);
    expect((await look(idle({ active: active("a") }), { live: { "jobs/a": job({ name: "a" }) } })).requests).toEqual(["GET jobs/a"]);
    await expect(look(idle({ active: active("a") }), { refuse: () => newForbidden(jobs, "a", "no") })).rejects.toThrow("no");
  });

  it("reads a Job that the cache lacks from the server", async () => {
    const known = await look(idle(), { jobs: [job({ name: "a" })], live: { "cronjobs/report": idle({ active: active("a") }) } });
    expect([known.requests, known.told]).toEqual([["GET cronjobs/report"], []]);
    const unknown = await look(idle(), { jobs: [job({ name: "a" })], live: { "cronjobs/report": idle() } });
    expect([unknown.told, unknown.status]).toEqual([
      ["Warning UnexpectedJob Saw a job that the controller did not create or forgot: a"],
      undefined,
    ]);
  });

  it("deletes Jobs beyond the history limits, and continues when that fails", async () => {
    const ended = [job({ name: "a", end: "Complete", startTime: ago(20) }), job({ name: "b", end: "Failed", startTime: ago(10) })];
    const limits = { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 };
    const { requests, told, status } = await look(idle({ active: active("a", "b"), lastSuccessfulTime: ago(0) }, limits), {
      jobs: ended,
      refuse: (what) => (what === "DELETE jobs/a" ? newNotFound(jobs, "a") : undefined),
    });
    expect(requests).toEqual(["DELETE jobs/a", "DELETE jobs/b", "PUT cronjobs/report/status"]);
    expect(told.slice(0, 2)).toEqual([
      expect.stringContaining("Warning FailedDelete Deleted job: "),
      "Normal SuccessfulDelete Deleted job b",
    ]);
    expect(status).toEqual({ lastSuccessfulTime: ago(0) });
  });

  it("does nothing for a CronJob that is gone", async () => {
    const server = echoServer();
    expect(
      await syncCronJob(
        { key: objectKey("report", "shop"), client: server.client, signal: new AbortController().signal },
        { cronJobs: await syncedInformer<CronJob>(), jobs: await syncedInformer<Job>(), events: recordingEvents(), clock: server.clock },
      ),
    ).toEqual({ type: "done" });
  });
});
