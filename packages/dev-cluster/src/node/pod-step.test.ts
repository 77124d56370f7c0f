import type { Pod, PodStatus } from "@drover/api/core/v1";
import { formatTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { conductAnnotations, podConduct, promptPods, unhurriedPods } from "./pod-conduct.ts";
import type { PodTimes } from "./pod-conduct.ts";
import { podStep } from "./pod-step.ts";

const begin = 1_767_225_600_000;
const addresses = () => ({ host: "172.18.0.2", pod: "10.244.0.2" });

function pod(options: { readonly annotations?: Record<string, string>; readonly restartPolicy?: "Always" | "Never" | "OnFailure"; readonly ofJob?: boolean; readonly grace?: number; readonly initContainers?: NonNullable<Pod["spec"]>["initContainers"] } = {}): Pod {
  const { annotations = {}, restartPolicy = "Always", ofJob = false, grace, initContainers } = options;
  const metadata = {
    name: "web-0", namespace: "shop", uid: "u", generation: 1, annotations,
    ...(ofJob ? { ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: "j", controller: true }] } : {}),
    ...(grace === undefined ? {} : { deletionTimestamp: formatTime(begin + grace * 1000), deletionGracePeriodSeconds: grace }),
  };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: "a", restartPolicy, containers: [{ name: "web", image: "web:1" }, { name: "log", image: "log:1" }], ...(initContainers === undefined ? {} : { initContainers }) }, status: { phase: "Pending" } };
}

/** Lives until it rests, is removed, or a time is over; tells what it did when, in seconds. */
function life(start: Pod, times: PodTimes = promptPods, untilMs = 600_000): { readonly steps: readonly (readonly [number, string])[]; readonly last: PodStatus } {
  let [now, current] = [begin, start];
  const steps: (readonly [number, string])[] = [];
  for (;;) {
    const step = podStep(current, { now, conduct: podConduct(current, times), addresses });
    if (step.type === "wait") {
      if (now + step.ms - begin > untilMs) break;
      now += step.ms;
    } else if (step.type === "status") {
      current = { ...current, status: { ...current.status, ...step.status } };
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

describe("a pod on a simulated node", () => {
  it("runs at once and is ready, in one step", () => {
    const { steps, last } = life(pod());
    expect(steps).toEqual([[0, "Running running ready"]]);
    expect(last).toMatchObject({ podIP: "10.244.0.2", podIPs: [{ ip: "10.244.0.2" }], hostIP: "172.18.0.2", startTime: formatTime(begin), observedGeneration: 1 });
    expect(last.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(["PodReadyToStartContainers=True", "Initialized=True", "ContainersReady=True", "Ready=True", "PodScheduled=True"]);
  });

  it("takes its time where people look on", () => {
    expect(life(pod(), unhurriedPods).steps).toEqual([[0, "Pending ContainerCreating"], [1, "Running running ready"]]);
  });

  it("says which containers are not ready, and since when", () => {
    const { steps, last } = life(pod({ annotations: { [conductAnnotations.ready]: "false" } }));
    expect(steps).toEqual([[0, "Running running"]]);
    expect(last.conditions?.find(({ type }) => type === "Ready")).toEqual({ type: "Ready", status: "False", reason: "ContainersNotReady", message: "containers with unready status: [web log]", lastTransitionTime: formatTime(begin), observedGeneration: 1 });
  });

  it("is ready later when its annotation says so, and the times of other conditions stay", () => {
    const { steps, last } = life(pod({ annotations: { [conductAnnotations.readyAfter]: "5s" } }));
    expect(steps).toEqual([[0, "Running running"], [5, "Running running ready"]]);
    expect(last.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime === formatTime(begin) ? 0 : 5])).toEqual([["PodReadyToStartContainers", 0], ["Initialized", 0], ["ContainersReady", 5], ["Ready", 5], ["PodScheduled", 0]]);
    expect(last.containerStatuses?.[0]?.state?.running?.startedAt).toBe(formatTime(begin));
  });

  it("comes to its end when it is a Job's, and stays as it is", () => {
    const { steps, last } = life(pod({ ofJob: true, restartPolicy: "Never" }), unhurriedPods);
    expect(steps).toEqual([[0, "Pending ContainerCreating"], [1, "Running running ready"], [3, "Succeeded Completed"]]);
    expect(last.conditions?.find(({ type }) => type === "Ready")).toMatchObject({ status: "False", reason: "PodCompleted" });
    expect(last.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 0, startedAt: formatTime(begin + 1000), finishedAt: formatTime(begin + 3000) });
  });

  it("fails for good when nobody restarts it", () => {
    expect(life(pod({ annotations: { [conductAnnotations.exitCode]: "3" }, restartPolicy: "Never" })).steps.at(-1)).toEqual([0, "Failed Error"]);
    expect(life(pod({ annotations: { [conductAnnotations.exitCode]: "0" }, restartPolicy: "OnFailure" })).steps.at(-1)).toEqual([0, "Succeeded Completed"]);
  });

  it("crashes again and again, each time after twice as long, up to five minutes", () => {
    const { steps } = life(pod({ annotations: { [conductAnnotations.exitCode]: "1" } }), promptPods, 1_500_000);
    expect(steps.filter(([, what]) => what.includes("running")).map(([at]) => at)).toEqual([0, 10, 30, 70, 150, 310, 610, 910, 1210]);
    expect(steps.at(-1)?.[1]).toBe("Running CrashLoopBackOff 8");
  });

  it("keeps its last end in sight while it runs again", () => {
    const { last } = life(pod({ annotations: { [conductAnnotations.exitCode]: "1", [conductAnnotations.exitAfter]: "1s" } }), promptPods, 11_500);
    expect(last.containerStatuses?.[0]).toMatchObject({ restartCount: 1, state: { running: { startedAt: formatTime(begin + 11_000) } }, lastState: { terminated: { exitCode: 1, finishedAt: formatTime(begin + 1000) } } });
  });

  it("goes when it is marked, within its time of grace", () => {
    expect(life(pod({ grace: 30 })).steps).toEqual([[0, "removed"]]);
    expect(life(pod({ grace: 30 }), unhurriedPods).steps).toEqual([[1, "removed"]]);
    expect(life(pod({ grace: 2, annotations: { [conductAnnotations.stopAfter]: "1h" } })).steps).toEqual([[2, "removed"]]);
  });

  it("has its first containers done, and sidecars beside the others", () => {
    const { last } = life(pod({ initContainers: [{ name: "init", image: "i" }, { name: "proxy", image: "p", restartPolicy: "Always" }] }));
    expect(last.initContainerStatuses?.map(({ name, state }) => [name, Object.keys(state ?? {})])).toEqual([["init", ["terminated"]], ["proxy", ["running"]]]);
  });
});

it.each([[conductAnnotations.exitCode, "300"], [conductAnnotations.exitCode, "x"], [conductAnnotations.readyAfter, "soon"]])("annotation %s cannot be %j, and is named", (name, value) => {
  expect(() => podConduct(pod({ annotations: { [name]: value } }), promptPods)).toThrow(`annotation ${name} must be`);
});
