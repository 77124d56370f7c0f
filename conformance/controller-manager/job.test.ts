/** Jobs on a server: pods run to completion, each result is counted once, and the Job reports its outcome. */
import { Job } from "@drover/api/batch/v1";
import type { JobSpec } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import type { ContainerState } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { formatTime } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { ManualScene, Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["job"] };
const tracking = "batch.kubernetes.io/job-tracking";

type JobParts = Partial<Omit<JobSpec, "template">> & { readonly restartPolicy?: "Never" | "OnFailure" };

const createJob = (scene: Scene, { restartPolicy = "Never", ...spec }: JobParts = {}): Promise<Job> =>
  scene.client.create(Job, {
    metadata: { name: "work" },
    spec: { ...spec, template: { spec: { restartPolicy, containers: [{ name: "main", image: "work:1" }] } } },
  });

const job = (scene: Scene): Promise<Job> => scene.client.get(Job, "work");
const status = async (scene: Scene): Promise<NonNullable<Job["status"]>> => (await job(scene)).status ?? {};
const conditions = async (scene: Scene): Promise<readonly string[]> =>
  ((await status(scene)).conditions ?? []).map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`);
const says = (scene: Scene, type: string): Promise<void> =>
  scene.until(type, async () => (await status(scene)).conditions?.some((each) => each.type === type && each.status === "True") === true);
const activeIs = (scene: Scene, count: number): Promise<void> =>
  scene.until(`${count} pods`, async () => (await scene.activePods()).length === count && ((await status(scene)).active ?? 0) === count);

/** Long ago, so that no test waits before a failed pod is replaced. */
const terminated = (exitCode: number): ContainerState => ({ terminated: { exitCode, finishedAt: "2020-01-01T00:00:00Z" } });

/** Ends a pod as a kubelet would. */
const end = async (scene: Scene, pod: Pod | undefined, exitCode = 0): Promise<void> => {
  const state = terminated(exitCode);
  await scene.client.resource(Pod).status.patch(pod?.metadata.name ?? "", {
    type: "merge",
    body: {
      status: {
        phase: exitCode === 0 ? "Succeeded" : "Failed",
        containerStatuses: [{ name: "main", image: "", imageID: "", ready: false, restartCount: 0, state }],
      },
    },
  });
};
const indexOf = ({ metadata }: Pod): string | undefined => metadata.annotations?.["batch.kubernetes.io/job-completion-index"];
const podAt = async (scene: Scene, index: number): Promise<Pod | undefined> =>
  (await scene.activePods()).find((pod) => indexOf(pod) === String(index));

describeScenes("a Job", (open) => {
  it("J001, J017: runs its pods up to its parallelism, and completes", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 3, parallelism: 2 });
    await activeIs(scene, 2);
    const [first, second] = await scene.activePods();
    expect(first?.metadata).toMatchObject({
      generateName: "work-",
      finalizers: [tracking],
      labels: { "batch.kubernetes.io/job-name": "work", "job-name": "work" },
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "work", controller: true, blockOwnerDeletion: true }],
    });
    await end(scene, first);
    await end(scene, second);
    await scene.until("counted", async () => (await status(scene)).succeeded === 2);
    await activeIs(scene, 1);
    expect(await status(scene)).toMatchObject({ ready: 0, terminating: 0 });
    await end(scene, (await scene.activePods())[0]);
    await says(scene, "Complete");
    expect(await status(scene)).toMatchObject({
      succeeded: 3,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
      completionTime: expect.any(String) as string,
      startTime: expect.any(String) as string,
    });
    expect((await status(scene)).active).toBeUndefined();
    expect(await conditions(scene)).toEqual([
      "SuccessCriteriaMet=True CompletionsReached: Reached expected number of succeeded pods",
      "Complete=True CompletionsReached: Reached expected number of succeeded pods",
    ]);
    for (const { metadata } of await scene.list(Pod)) expect(metadata.finalizers).toBeUndefined();
    await scene.until("events", async () => (await scene.events()).includes("Completed Job completed"));
    expect((await scene.events()).filter((event) => event.startsWith("SuccessfulCreate"))).toHaveLength(3);
  });

  it("J018, J019: without completions completes when one pod succeeded and none is active", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { parallelism: 2 });
    await activeIs(scene, 2);
    const [first, second] = await scene.activePods();
    await end(scene, first);
    await activeIs(scene, 1);
    await end(scene, second, 1);
    await says(scene, "Complete");
    expect(await status(scene)).toMatchObject({ succeeded: 1, failed: 1 });
    expect(await scene.list(Pod)).toHaveLength(2);
  });

  it("J023, J059: fails with one failure beyond its limit, and deletes its other pods", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 2, parallelism: 2, backoffLimit: 1 });
    await activeIs(scene, 2);
    await end(scene, (await scene.activePods())[0], 1);
    await scene.until("replaced", async () => (await scene.activePods()).length === 2 && (await status(scene)).failed === 1);
    await end(scene, (await scene.activePods())[0], 1);
    await says(scene, "Failed");
    expect(await status(scene)).toMatchObject({ failed: 3, terminating: 0 });
    expect(await conditions(scene)).toEqual([
      "FailureTarget=True BackoffLimitExceeded: Job has reached the specified backoff limit",
      "Failed=True BackoffLimitExceeded: Job has reached the specified backoff limit",
    ]);
    expect(await scene.activePods()).toEqual([]);
    await scene.until("events", async () =>
      (await scene.events()).includes("BackoffLimitExceeded Job has reached the specified backoff limit"),
    );
  });

  it("J026, J031: gives each pod an index, and replaces pods of an index until one succeeds", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 3, parallelism: 3, completionMode: "Indexed" });
    await activeIs(scene, 3);
    const pod = await podAt(scene, 1);
    expect(pod?.metadata).toMatchObject({ generateName: "work-1-", labels: { "batch.kubernetes.io/job-completion-index": "1" } });
    expect(pod?.spec).toMatchObject({
      hostname: "work-1",
      containers: [
        {
          env: [
            {
              name: "JOB_COMPLETION_INDEX",
              valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } },
            },
          ],
        },
      ],
    });
    await end(scene, await podAt(scene, 0));
    await end(scene, await podAt(scene, 2));
    await end(scene, pod, 1);
    await scene.until("counted", async () => (await status(scene)).failed === 1 && (await status(scene)).completedIndexes === "0,2");
    await scene.until("replaced", async () => (await podAt(scene, 1)) !== undefined);
    await end(scene, await podAt(scene, 1));
    await says(scene, "Complete");
    expect(await status(scene)).toMatchObject({ succeeded: 3, failed: 1, completedIndexes: "0-2" });
  });

  it("follows changes of completions and parallelism of an elastic indexed Job", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 3, parallelism: 3, completionMode: "Indexed" });
    await activeIs(scene, 3);
    await end(scene, await podAt(scene, 2));
    await scene.until("counted", async () => (await status(scene)).completedIndexes === "2");
    await scene.change(Job, "work", { spec: { completions: 2, parallelism: 2 } });
    await scene.until(
      "forgotten",
      async () => (await status(scene)).completedIndexes === undefined && ((await status(scene)).succeeded ?? 0) === 0,
    );
    await scene.change(Job, "work", { spec: { completions: 4, parallelism: 4 } });
    await activeIs(scene, 4);
    await scene.change(Job, "work", { spec: { completions: 1, parallelism: 1 } });
    await activeIs(scene, 1);
    await end(scene, await podAt(scene, 0));
    await says(scene, "Complete");
    expect(await status(scene)).toMatchObject({ succeeded: 1, completedIndexes: "0" });
    expect((await status(scene)).failed).toBeUndefined();
  });

  it("J052: fails indexes one by one, and records their failures on pods", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 });
    await activeIs(scene, 2);
    const failures = (pod: Pod | undefined): string | undefined =>
      pod?.metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"];
    expect(failures(await podAt(scene, 0))).toBe("0");
    await end(scene, await podAt(scene, 0), 1);
    await scene.until("replaced", async () => failures(await podAt(scene, 0)) === "1");
    await end(scene, await podAt(scene, 0), 1);
    await scene.until("given up", async () => (await status(scene)).failedIndexes === "0");
    await end(scene, await podAt(scene, 1));
    await says(scene, "Failed");
    expect(await status(scene)).toMatchObject({ failed: 2, succeeded: 1, failedIndexes: "0", completedIndexes: "1" });
    expect(await conditions(scene)).toContain("Failed=True FailedIndexes: Job has failed indexes");
  });

  it("J051: succeeds by its success policy; pods that still run are deleted and not counted", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, {
      completions: 3,
      parallelism: 3,
      completionMode: "Indexed",
      successPolicy: { rules: [{ succeededIndexes: "1" }] },
    });
    await activeIs(scene, 3);
    await end(scene, await podAt(scene, 1));
    await says(scene, "Complete");
    expect(await conditions(scene)).toEqual([
      "SuccessCriteriaMet=True SuccessPolicy: Matched rules at index 0",
      "Complete=True SuccessPolicy: Matched rules at index 0",
    ]);
    expect(await status(scene)).toMatchObject({ succeeded: 1, completedIndexes: "1" });
    expect((await status(scene)).failed).toBeUndefined();
  });

  it("fails at once, or ignores a failure, by its pod failure policy", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, {
      completions: 1,
      backoffLimit: 0,
      podFailurePolicy: {
        rules: [
          { action: "Ignore", onExitCodes: { operator: "In", values: [7] } },
          { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [42] } },
        ],
      },
    });
    await activeIs(scene, 1);
    const [ignored] = await scene.activePods();
    await end(scene, ignored, 7);
    await scene.until("replaced", async () => (await scene.activePods()).some(({ metadata }) => metadata.uid !== ignored?.metadata.uid));
    const [pod] = await scene.activePods();
    await end(scene, pod, 42);
    await says(scene, "Failed");
    const { namespace = "", name = "" } = pod?.metadata ?? {};
    expect(await conditions(scene)).toContain(
      `Failed=True PodFailurePolicy: Container main for pod ${namespace}/${name} failed with exit code 42 matching FailJob rule at index 1`,
    );
    expect(await status(scene)).toMatchObject({ failed: 1 });
  });

  it("J033, J034: stops while it is suspended, and resumes with a new start time", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 2, parallelism: 2 });
    await activeIs(scene, 2);
    await scene.change(Job, "work", { spec: { suspend: true } });
    await says(scene, "Suspended");
    await activeIs(scene, 0);
    expect(await scene.list(Pod)).toEqual([]);
    expect((await status(scene)).startTime).toBeUndefined();
    expect((await status(scene)).failed).toBeUndefined();
    await scene.change(Job, "work", { spec: { suspend: false } });
    await activeIs(scene, 2);
    expect((await status(scene)).startTime).toBeDefined();
    expect(await conditions(scene)).toEqual(["Suspended=False JobResumed: Job resumed"]);
    for (const pod of await scene.activePods()) await end(scene, pod);
    await says(scene, "Complete");
    await scene.until("events", async () => {
      const told = await scene.events();
      return ["Suspended Job suspended", "Resumed Job resumed", "Completed Job completed"].every((event) => told.includes(event));
    });
  });

  it("J047: fails at its deadline", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 2, parallelism: 2, activeDeadlineSeconds: 2 });
    await activeIs(scene, 2);
    await says(scene, "Failed");
    expect(await conditions(scene)).toContain("Failed=True DeadlineExceeded: Job was active longer than specified deadline");
    expect(await scene.activePods()).toEqual([]);
  });

  it(
    "J006, J046: with the replacement policy Failed waits until a pod has failed; completion waits for all pods",
    { timeout: 60_000 },
    async () => {
      const scene = await open(only);
      await createJob(scene, { completions: 1, podReplacementPolicy: "Failed", backoffLimit: 0 });
      await activeIs(scene, 1);
      const [pod] = await scene.activePods();
      await scene.client.delete(Pod, pod?.metadata.name ?? "");
      await scene.until("noticed", async () => (await status(scene)).terminating === 1);
      await scene.settle(300);
      expect([(await scene.list(Pod)).length, (await status(scene)).failed]).toEqual([1, undefined]);
      await end(scene, pod, 1);
      await says(scene, "Failed");
      expect(await status(scene)).toMatchObject({ failed: 1, terminating: 0 });
    },
  );

  it("counts a pod that is deleted as failed, and replaces it", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 1 });
    await activeIs(scene, 1);
    const [pod] = await scene.activePods();
    await scene.client.delete(Pod, pod?.metadata.name ?? "");
    await scene.until("counted", async () => (await status(scene)).failed === 1);
    await scene.until("gone", async () => (await scene.list(Pod)).every(({ metadata }) => metadata.uid !== pod?.metadata.uid));
  });

  it("adopts matching pods, with the finalizer, and releases those that no longer match", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    const {
      metadata: { uid = "" },
    } = await createJob(scene, { completions: 1, suspend: true });
    await says(scene, "Suspended");
    await scene.client.create(Pod, {
      metadata: { name: "orphan", labels: { "batch.kubernetes.io/controller-uid": uid } },
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "work:1" }] },
    });
    await scene.until("taken and removed", async () => (await scene.list(Pod)).length === 0);
    await scene.change(Job, "work", { spec: { suspend: false } });
    await activeIs(scene, 1);
    const [pod] = await scene.activePods();
    await scene.change(Pod, pod?.metadata.name ?? "", { metadata: { labels: { "batch.kubernetes.io/controller-uid": "other" } } });
    await scene.until(
      "released",
      async () => (await scene.client.get(Pod, pod?.metadata.name ?? "")).metadata.ownerReferences === undefined,
    );
    await scene.until(
      "without finalizer",
      async () => (await scene.client.get(Pod, pod?.metadata.name ?? "")).metadata.finalizers === undefined,
    );
    await scene.until("replaced", async () => (await scene.activePods()).length === 2 && (await status(scene)).active === 1);
  });

  it("J021, J061: that is deleted releases its pods, in the foreground or background", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    for (const propagationPolicy of ["Background", "Foreground"] as const) {
      await createJob(scene, { completions: 2, parallelism: 2 });
      await activeIs(scene, 2);
      await scene.client.delete(Job, "work", { propagationPolicy });
      await scene.until("free", async () => (await scene.list(Pod)).every(({ metadata }) => metadata.finalizers === undefined));
      expect(await scene.list(Pod)).toHaveLength(2);
      for (const { metadata } of await scene.list(Pod)) await scene.client.delete(Pod, metadata.name ?? "", { gracePeriodSeconds: 0 });
      if (propagationPolicy === "Foreground") await scene.change(Job, "work", { metadata: { finalizers: null } });
    }
  });

  it("with another managedBy is left alone", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 1, managedBy: "example.com/other" });
    await scene.settle(400);
    expect([await scene.list(Pod), (await job(scene)).status]).toEqual([[], {}]);
  });

  it("J057: removes the finalizer from pods without a Job; pods of another controller keep it", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    const create = (name: string, kind?: string): Promise<Pod> =>
      scene.client.create(Pod, {
        metadata: {
          name,
          finalizers: [tracking],
          ...(kind === undefined
            ? {}
            : {
                ownerReferences: [
                  {
                    apiVersion: kind === "Job" ? "batch/v1" : "example.com/v1",
                    kind,
                    name: "gone",
                    uid: "11111111-2222-3333-4444-555555555555",
                    controller: true,
                  },
                ],
              }),
        },
        spec: { containers: [{ name: "main", image: "work:1" }] },
      });
    await create("nobodys");
    await create("of-a-job-that-is-gone", "Job");
    await create("of-another", "Other");
    const isFree = async (name: string): Promise<boolean> => (await scene.client.get(Pod, name)).metadata.finalizers === undefined;
    await scene.until("free", async () => (await isFree("nobodys")) && (await isFree("of-a-job-that-is-gone")));
    await scene.settle(200);
    expect(await isFree("of-another")).toBe(false);
    await scene.change(Pod, "of-another", { metadata: { finalizers: null } });
  });

  it("continues after a restart of the controller", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createJob(scene, { completions: 3, parallelism: 1 });
    await activeIs(scene, 1);
    await end(scene, (await scene.activePods())[0]);
    await scene.until("counted", async () => (await status(scene)).succeeded === 1);
    await scene.restart();
    for (const count of [2, 3]) {
      await scene.until("a pod", async () => (await scene.activePods()).length === 1);
      await end(scene, (await scene.activePods())[0]);
      await scene.until("counted", async () => (await status(scene)).succeeded === count);
    }
    await says(scene, "Complete");
    expect(await scene.list(Pod)).toHaveLength(3);
  });
});

describe("a Job, on our server and a manual clock", () => {
  const scenes: Scene[] = [];
  const open = async (options: SceneOptions = {}): Promise<ManualScene> => {
    const scene = await manualScene({ ...only, ...options });
    scenes.push(scene);
    return scene;
  };
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });

  /** Fails the running pod. */
  const failNow = async (scene: ManualScene): Promise<void> => {
    const [pod] = await scene.activePods();
    const now = formatTime(scene.clock.now());
    const containerStatuses = [
      { name: "main", image: "", imageID: "", ready: false, restartCount: 0, state: { terminated: { exitCode: 1, finishedAt: now } } },
    ];
    await scene.client
      .resource(Pod)
      .status.patch(pod?.metadata.name ?? "", { type: "merge", body: { status: { phase: "Failed", containerStatuses } } });
  };

  it.each(["drover", "parity"] as const)("J062: replaces a failed pod after ten seconds, then twenty, then forty: %s", async (preset) => {
    const scene = await open({ preset });
    await createJob(scene, { completions: 1 });
    await scene.settle(2000);
    for (const seconds of [10, 20, 40]) {
      await failNow(scene);
      await scene.settle((seconds - 2) * 1000);
      expect(await scene.activePods(), `before ${seconds} s`).toEqual([]);
      await scene.settle(4000);
      expect(await scene.activePods(), `after ${seconds} s`).toHaveLength(1);
    }
    expect(await status(scene)).toMatchObject({ failed: 3, active: 1 });
  });

  it("J044: of more than 500 pods creates and counts them in batches, and completes", { timeout: 120_000 }, async () => {
    let uncountedMax = 0;
    const measuring: TransportWrapper = (next) => async (request) => {
      if (request.path.endsWith("/jobs/work/status") && typeof request.body === "string")
        uncountedMax = Math.max(uncountedMax, (JSON.parse(request.body) as Job).status?.uncountedTerminatedPods?.succeeded?.length ?? 0);
      return next(request);
    };
    const scene = await open({ wrapper: () => measuring });
    await createJob(scene, { completions: 510, parallelism: 510 });
    await scene.settle();
    expect(await status(scene)).toMatchObject({ active: 510 });
    await Promise.all(
      (await scene.activePods()).map((pod) =>
        scene.client.resource(Pod).status.patch(pod.metadata.name ?? "", { type: "merge", body: { status: { phase: "Succeeded" } } }),
      ),
    );
    await scene.settle(2000);
    expect(await status(scene)).toMatchObject({ succeeded: 510, uncountedTerminatedPods: {} });
    expect(await conditions(scene)).toContain("Complete=True CompletionsReached: Reached expected number of succeeded pods");
    expect(uncountedMax).toBeGreaterThan(100);
    expect(uncountedMax).toBeLessThanOrEqual(500);
    expect((await scene.list(Pod)).filter(({ metadata }) => metadata.finalizers !== undefined)).toEqual([]);
  });

  it("J054: with the parity preset syncs a second after its pods change, and at once when its spec changes", async () => {
    const scene = await open({ preset: "parity" });
    await createJob(scene, { completions: 3, parallelism: 1 });
    await scene.settle(5000);
    await end(scene, (await scene.activePods())[0]);
    await scene.settle(900);
    expect((await status(scene)).succeeded).toBeUndefined();
    await scene.settle(200);
    expect((await status(scene)).succeeded).toBe(1);
    await scene.settle(5000);
    await scene.change(Job, "work", { spec: { parallelism: 2 } });
    await scene.settle(100);
    expect(await scene.activePods()).toHaveLength(2);
  });

  it("logs no warning when all goes well", async () => {
    const scene = await open();
    await createJob(scene, { completions: 2, parallelism: 2 });
    await scene.settle();
    for (const pod of await scene.activePods()) await end(scene, pod);
    await scene.settle();
    await scene.client.delete(Job, "work", { propagationPolicy: "Background" });
    await scene.settle();
    expect(scene.complaints()).toEqual([]);
  });
});
