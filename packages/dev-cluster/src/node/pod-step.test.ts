import type { Pod, PodStatus } from "@drover/api/core/v1";
import { definedOnly, formatTime } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conductAnnotations, podConduct, promptPods, unhurriedPods } from "./pod-conduct.ts";
import type { PodTimes } from "./pod-conduct.ts";
import { podStep } from "./pod-step.ts";

const begin = 1_767_225_600_000;
const addresses = () => ({ host: "172.18.0.2", pod: "10.244.0.2" });

function pod(
  options: {
    readonly annotations?: Record<string, string>;
    readonly restartPolicy?: "Always" | "Never" | "OnFailure";
    readonly ofJob?: boolean;
    readonly grace?: number;
    readonly initContainers?: NonNullable<Pod["spec"]>["initContainers"];
  } = {},
): Pod {
  const { annotations = {}, restartPolicy = "Always", ofJob = false, grace, initContainers } = options;
  const metadata = {
    name: "web-0",
    namespace: "shop",
    uid: "u",
    generation: 1,
    annotations,
    ...(ofJob ? { ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: "j", controller: true }] } : {}),
    ...(grace === undefined ? {} : { deletionTimestamp: formatTime(begin + grace * 1000), deletionGracePeriodSeconds: grace }),
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: {
      nodeName: "a",
      restartPolicy,
      containers: [
        { name: "web", image: "web:1" },
        { name: "log", image: "log:1" },
      ],
      ...definedOnly({ initContainers }),
    },
    status: { phase: "Pending" },
  };
}

/** Lives until it rests, is removed, or a time is over; tells what it did when, in seconds. */
function life(
  start: Pod,
  times: PodTimes = promptPods,
  untilMs = 600_000,
  looks: readonly number[] = [],
): { readonly steps: readonly (readonly [number, string])[]; readonly last: PodStatus } {
  let [now, current] = [begin, start];
  const steps: (readonly [number, string])[] = [];
  for (;;) {
    const step = podStep(current, { now, conduct: podConduct(current, times), addresses });
    if (step.type === "wait") {
      const look = looks.find((at) => begin + at > now && begin + at < now + step.ms);
      if (look === undefined && now + step.ms - begin > untilMs) break;
      now = look === undefined ? now + step.ms : begin + look;
    } else if (step.type === "status") {
      const others = (current.status?.conditions ?? []).filter(({ type }) =>
        step.status.conditions?.every((condition) => condition.type !== type),
      );
      current = { ...current, status: { ...current.status, ...step.status, conditions: [...(step.status.conditions ?? []), ...others] } };
      steps.push([(now - begin) / 1000, summary(current)]);
    } else {
      if (step.type === "remove") steps.push([(now - begin) / 1000, "removed"]);
      break;
    }
  }
  return { steps, last: current.status ?? {} };
}

function summary({ status: { phase = "Unknown", containerStatuses = [] } = {} }: Pod): string {
  const [first] = containerStatuses;
  const state = first?.state?.waiting?.reason ?? first?.state?.terminated?.reason ?? (first?.state?.running === undefined ? "" : "running");
  return `${phase} ${state}${containerStatuses.every(({ ready }) => ready) ? " ready" : ""}${first?.restartCount ? ` ${first.restartCount}` : ""}`;
}

describe("podStep", () => {
  it("runs a pod and makes it ready in one step", () => {
    const { steps, last } = life(pod());
    expect(steps).toEqual([[0, "Running running ready"]]);
    expect(last).toMatchObject({
      podIP: "10.244.0.2",
      podIPs: [{ ip: "10.244.0.2" }],
      hostIP: "172.18.0.2",
      startTime: formatTime(begin),
      observedGeneration: 1,
    });
    expect(last.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "PodReadyToStartContainers=True",
      "Initialized=True",
      "ContainersReady=True",
      "Ready=True",
      "PodScheduled=True",
    ]);
  });

  it("takes the given start and stop times", () => {
    expect(life(pod(), unhurriedPods).steps).toEqual([
      [0, "Pending ContainerCreating"],
      [1, "Running running ready"],
    ]);
  });

  it("reports containers that are not ready, and since when", () => {
    const { steps, last } = life(pod({ annotations: { [conductAnnotations.ready]: "false" } }));
    expect(steps).toEqual([[0, "Running running"]]);
    expect(last.conditions?.find(({ type }) => type === "Ready")).toEqual({
      type: "Ready",
      status: "False",
      reason: "ContainersNotReady",
      message: "containers with unready status: [web log]",
      lastTransitionTime: formatTime(begin),
      observedGeneration: 1,
    });
  });

  it("makes a pod ready later by annotation, and keeps times of other conditions", () => {
    const { steps, last } = life(pod({ annotations: { [conductAnnotations.readyAfter]: "5s" } }));
    expect(steps).toEqual([
      [0, "Running running"],
      [5, "Running running ready"],
    ]);
    expect(last.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime === formatTime(begin) ? 0 : 5])).toEqual([
      ["PodReadyToStartContainers", 0],
      ["Initialized", 0],
      ["ContainersReady", 5],
      ["Ready", 5],
      ["PodScheduled", 0],
    ]);
    expect(last.containerStatuses?.[0]?.state?.running?.startedAt).toBe(formatTime(begin));
  });

  it("finishes a Job's pod, which then stays", () => {
    const { steps, last } = life(pod({ ofJob: true, restartPolicy: "Never" }), unhurriedPods);
    expect(steps).toEqual([
      [0, "Pending ContainerCreating"],
      [1, "Running running ready"],
      [3, "Succeeded Completed"],
    ]);
    expect(last.conditions?.find(({ type }) => type === "Ready")).toMatchObject({ status: "False", reason: "PodCompleted" });
    expect(last.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 0,
      startedAt: formatTime(begin + 1000),
      finishedAt: formatTime(begin + 3000),
    });
  });

  it("fails a pod for good with restartPolicy Never", () => {
    expect(life(pod({ annotations: { [conductAnnotations.exitCode]: "3" }, restartPolicy: "Never" })).steps.at(-1)).toEqual([
      0,
      "Failed Error",
    ]);
    expect(life(pod({ annotations: { [conductAnnotations.exitCode]: "0" }, restartPolicy: "OnFailure" })).steps.at(-1)).toEqual([
      0,
      "Succeeded Completed",
    ]);
  });

  it("restarts a crashing container at once, then after ten seconds, doubled up to five minutes", () => {
    const { steps } = life(pod({ annotations: { [conductAnnotations.exitCode]: "1" } }), promptPods, 1_500_000);
    expect(steps.filter(([, what]) => what.includes("running")).map(([at]) => at)).toEqual([0, 0, 10, 30, 70, 150, 310, 610, 910, 1210]);
    expect(steps.at(-1)?.[1]).toBe("Running CrashLoopBackOff 9");
  });

  it("keeps the last termination while the container runs again", () => {
    const { last } = life(
      pod({ annotations: { [conductAnnotations.exitCode]: "1", [conductAnnotations.exitAfter]: "1s" } }),
      promptPods,
      12_500,
    );
    expect(last.containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      state: { running: { startedAt: formatTime(begin + 12_000) } },
      lastState: { terminated: { exitCode: 1, finishedAt: formatTime(begin + 2000) } },
    });
  });

  it("terminates a deleted pod within its grace period", () => {
    expect(life(pod({ grace: 30 })).steps).toEqual([[0, "removed"]]);
    expect(life(pod({ grace: 30 }), unhurriedPods).steps).toEqual([
      [1, "Failed ContainerCreating"],
      [1, "removed"],
    ]);
    expect(life(pod({ grace: 2, annotations: { [conductAnnotations.stopAfter]: "1h" } })).steps.at(-1)).toEqual([2, "removed"]);
  });

  it("leaves a pod alone that the server removes, and asks again after two seconds", () => {
    expect(life(pod({ grace: 0 })).steps).toEqual([[2, "removed"]]);
  });

  it("writes final container states where a finalizer waits for them", () => {
    const running = life(pod()).last;
    const marked = pod({ grace: 30 });
    const leaving = (metadata: Partial<Pod["metadata"]>, stopAfter?: string): PodStatus =>
      life({
        ...marked,
        metadata: {
          ...marked.metadata,
          ...metadata,
          annotations: definedOnly({ [conductAnnotations.stopAfter]: stopAfter }),
        },
        status: running,
      }).last;
    expect(leaving({}).phase).toBe("Running");
    expect(leaving({ finalizers: ["batch.kubernetes.io/job-tracking"] })).toMatchObject({
      phase: "Failed",
      containerStatuses: [{ state: { terminated: { exitCode: 143, reason: "Error" } } }, { state: { terminated: { exitCode: 143 } } }],
    });
    expect(leaving({}, "1h").containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
  });

  it("runs init containers in order, then the others", () => {
    const annotations = { [`${conductAnnotations.exitAfter}.first`]: "5s", [`${conductAnnotations.startedAfter}.proxy`]: "2s" };
    const { steps, last } = life(
      pod({
        annotations,
        initContainers: [
          { name: "first", image: "i" },
          { name: "proxy", image: "p", restartPolicy: "Always" },
          { name: "last", image: "i" },
        ],
      }),
    );
    expect(steps).toEqual([
      [0, "Pending PodInitializing"],
      [5, "Pending PodInitializing"],
      [7, "Running running ready"],
    ]);
    expect(
      last.initContainerStatuses?.map(({ name, ready, started, state }) => [name, ready, started, Object.keys(state ?? {})[0]]),
    ).toEqual([
      ["first", true, false, "terminated"],
      ["proxy", true, true, "running"],
      ["last", true, false, "terminated"],
    ]);
  });

  it("names the init containers it waits for", () => {
    const { last } = life(
      pod({
        annotations: { [`${conductAnnotations.exitAfter}.first`]: "1h" },
        initContainers: [
          { name: "first", image: "i" },
          { name: "second", image: "i" },
        ],
      }),
      promptPods,
      1000,
    );
    expect(last).toMatchObject({ phase: "Pending", podIP: "10.244.0.2" });
    expect(last.conditions?.find(({ type }) => type === "Initialized")).toMatchObject({
      status: "False",
      reason: "ContainersNotInitialized",
      message: "containers with incomplete status: [first second]",
    });
  });

  it("crashes before the start when an init container fails, and fails for good without restarts", () => {
    const failing = { annotations: { [`${conductAnnotations.exitCode}.first`]: "1" }, initContainers: [{ name: "first", image: "i" }] };
    const again = life(pod(failing), promptPods, 15_000).last;
    expect(again).toMatchObject({
      phase: "Pending",
      initContainerStatuses: [
        {
          restartCount: 2,
          state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 20s restarting failed container=first pod=web-0_shop(u)" } },
        },
      ],
      containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }, {}],
    });
    expect(life(pod({ ...failing, restartPolicy: "Never" })).last).toMatchObject({
      phase: "Failed",
      initContainerStatuses: [{ state: { terminated: { exitCode: 1 } } }],
      containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }, {}],
    });
  });

  it("restarts one container and leaves the other alone", () => {
    const { last } = life(
      pod({ annotations: { [`${conductAnnotations.exitCode}.log`]: "1", [`${conductAnnotations.exitAfter}.log`]: "5s" } }),
      promptPods,
      12_000,
    );
    expect(last).toMatchObject({
      phase: "Running",
      containerStatuses: [
        { name: "web", restartCount: 0, ready: true },
        { name: "log", restartCount: 1, ready: false, state: { waiting: { reason: "CrashLoopBackOff" } } },
      ],
    });
    expect(last.conditions?.find(({ type }) => type === "ContainersReady")?.message).toBe("containers with unready status: [log]");
  });

  it("finishes with all containers and stops sidecars; one failure makes the pod fail", () => {
    const annotations = {
      [`${conductAnnotations.exitAfter}.web`]: "1s",
      [`${conductAnnotations.exitAfter}.log`]: "3s",
      [`${conductAnnotations.exitCode}.log`]: "2",
    };
    const { steps, last } = life(
      pod({ annotations, restartPolicy: "Never", initContainers: [{ name: "proxy", image: "p", restartPolicy: "Always" }] }),
    );
    expect(steps.map(([at, what]) => `${at} ${what}`)).toEqual(["0 Running running ready", "1 Running Completed", "3 Failed Completed"]);
    expect(last).toMatchObject({
      initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }],
      containerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { terminated: { exitCode: 2 } } }],
    });
  });

  it("is ready when its readiness gates are true, and names those that are not", () => {
    const gated = pod();
    const spec = {
      containers: [],
      ...gated.spec,
      readinessGates: [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }],
    };
    const first = life({ ...gated, spec, status: { phase: "Pending", conditions: [{ type: "example.com/b", status: "False" }] } }).last;
    expect(first.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      status: "False",
      reason: "ReadinessGatesNotReady",
      message:
        'corresponding condition of pod readiness gate "example.com/a" does not exist., the status of pod readiness gate "example.com/b" is not "True", but False',
    });
    const others = (first.conditions ?? []).filter(({ type }) => !type.startsWith("example.com/"));
    const open = [...others, { type: "example.com/a", status: "True" as const }, { type: "example.com/b", status: "True" as const }];
    expect(
      life({ ...gated, spec, status: { ...first, conditions: open } }).last.conditions?.find(({ type }) => type === "Ready")?.status,
    ).toBe("True");
  });

  it("fails a pod past its activeDeadlineSeconds", () => {
    const limited = pod();
    const { steps, last } = life({ ...limited, spec: { containers: [], ...limited.spec, activeDeadlineSeconds: 7 } });
    expect(steps).toEqual([
      [0, "Running running ready"],
      [7, "Failed Error"],
    ]);
    expect(last).toMatchObject({ reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline" });
  });

  it("restores readiness that another writer removed", () => {
    const { last } = life(pod());
    const unready = {
      ...last,
      conditions: (last.conditions ?? []).map((condition) =>
        condition.type === "Ready" ? { ...condition, status: "False" as const } : condition,
      ),
    };
    expect(life({ ...pod(), status: unready }).last.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
  });

  it("ends the same, however often it runs in between", () => {
    const name = fc.constantFrom("web", "log", "first", "proxy");
    const annotation = fc.record({
      what: fc.constantFrom(conductAnnotations.exitAfter, conductAnnotations.readyAfter, conductAnnotations.startedAfter),
      name,
      after: fc.nat(30),
    });
    const code = fc.record({ what: fc.constant(conductAnnotations.exitCode), name, after: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(annotation, code), { maxLength: 6 }),
        fc.constantFrom("Always", "Never", "OnFailure"),
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }),
        (said, restartPolicy, looks) => {
          const annotations = Object.fromEntries(
            said.map(({ what, name: container, after }) => [
              `${what}.${container}`,
              what === conductAnnotations.exitCode ? String(after) : `${after}s`,
            ]),
          );
          const start = pod({
            annotations,
            restartPolicy,
            initContainers: [
              { name: "first", image: "i" },
              { name: "proxy", image: "p", restartPolicy: "Always" },
            ],
          });
          const untilMs = 120_000;
          const whole = life(start, promptPods, untilMs);
          const times = looks.map((_, index) => looks.slice(0, index + 1).reduce((sum, each) => sum + each, 0) * 1000);
          expect(life(start, promptPods, untilMs, times).steps).toEqual(whole.steps);
        },
      ),
    );
  });

  it("finishes init containers and runs sidecars beside the others", () => {
    const { last } = life(
      pod({
        initContainers: [
          { name: "init", image: "i" },
          { name: "proxy", image: "p", restartPolicy: "Always" },
        ],
      }),
    );
    expect(last.initContainerStatuses?.map(({ name, state }) => [name, Object.keys(state ?? {})])).toEqual([
      ["init", ["terminated"]],
      ["proxy", ["running"]],
    ]);
  });
});

it.each([
  [conductAnnotations.exitCode, "300"],
  [conductAnnotations.exitCode, "x"],
  [conductAnnotations.readyAfter, "soon"],
])("names annotation %s with invalid value %j", (name, value) => {
  expect(() => podConduct(pod({ annotations: { [name]: value } }), promptPods).container("web", "main")).toThrow(
    `annotation ${name} must be`,
  );
});
