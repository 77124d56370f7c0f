import type { ContainerState, ContainerStatus, Pod, PodStatus } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { podSummary } from "./pod-summary.ts";

const container = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const ended = (exitCode: number, more: Partial<NonNullable<ContainerState["terminated"]>> = {}): ContainerState => ({
  terminated: { exitCode, ...more },
});
const completed = ended(0, { reason: "Completed" });
const waiting = (reason: string): ContainerState => ({ waiting: { reason } });

/** A pod with containers a and b, init containers i and j, and the sidecar s between them. */
const pod = (status: PodStatus, metadata: Pod["metadata"] = {}): Pod => ({
  metadata,
  status,
  spec: {
    containers: [{ name: "a" }, { name: "b" }],
    initContainers: [{ name: "i" }, { name: "s", restartPolicy: "Always" }, { name: "j" }],
  },
});
const reasonOf = (status: PodStatus, metadata: Pod["metadata"] = {}): string => podSummary(pod(status, metadata)).reason;
const both = (a: ContainerState, b: ContainerState, more: PodStatus = {}): PodStatus => ({
  phase: "Running",
  containerStatuses: [container("a", a, { ready: a.running !== undefined }), container("b", b, { ready: b.running !== undefined })],
  ...more,
});

describe("podSummary", () => {
  it("is the phase, the status reason, or SchedulingGated", () => {
    expect(reasonOf({ phase: "Pending" })).toBe("Pending");
    expect(reasonOf({ phase: "Failed", reason: "Evicted" })).toBe("Evicted");
    expect(reasonOf({ phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] })).toBe(
      "SchedulingGated",
    );
    expect(podSummary({ metadata: {} })).toEqual({ ready: 0, total: 0, reason: "", restarts: 0, lastRestart: undefined });
  });

  it("is the reason of the first container that has one", () => {
    expect(reasonOf(both(waiting("ErrImagePull"), waiting("CrashLoopBackOff")))).toBe("ErrImagePull");
    expect(reasonOf(both({ running: {} }, waiting("CrashLoopBackOff")))).toBe("CrashLoopBackOff");
    expect(reasonOf(both({ waiting: {} }, { waiting: {} }))).toBe("Running");
  });

  it("is the exit reason, signal or code of a container", () => {
    expect(reasonOf(both(ended(137, { signal: 9 }), { running: {} }))).toBe("Signal:9");
    expect(reasonOf(both(ended(3), { running: {} }))).toBe("ExitCode:3");
    expect(reasonOf(both(ended(1, { reason: "OOMKilled" }), { running: {} }))).toBe("OOMKilled");
  });

  it("ignores completed containers while another runs or failed", () => {
    expect(reasonOf(both(completed, { running: {} }, { conditions: [{ type: "Ready", status: "True" }] }))).toBe("Running");
    expect(reasonOf(both(completed, { running: {} }))).toBe("NotReady");
    expect(reasonOf(both(completed, ended(2)))).toBe("ExitCode:2");
    expect(reasonOf(both(completed, completed))).toBe("Completed");
  });

  it("is Terminating unless the pod is finished, or Unknown if its node is lost", () => {
    const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(reasonOf(both({ running: {} }, waiting("CrashLoopBackOff")), going)).toBe("Terminating");
    expect(reasonOf(both(completed, completed, { phase: "Succeeded" }), going)).toBe("Completed");
    expect(reasonOf({ phase: "Running", reason: "NodeLost" }, going)).toBe("Unknown");
  });
});

describe("podSummary of an initializing pod", () => {
  const starting = (...initContainerStatuses: ContainerStatus[]): PodStatus => ({ phase: "Pending", initContainerStatuses });

  it("counts completed init containers", () => {
    expect(reasonOf(starting(container("i", { running: {} })))).toBe("Init:0/3");
    expect(reasonOf(starting(container("i", ended(0)), container("s", { running: {} }, { started: false })))).toBe("Init:1/3");
    expect(
      reasonOf(
        starting(container("i", ended(0)), container("s", { running: {} }, { started: true }), container("j", waiting("PodInitializing"))),
      ),
    ).toBe("Init:2/3");
  });

  it("names the failure of an init container", () => {
    expect(reasonOf(starting(container("i", ended(1, { reason: "Error" }))))).toBe("Init:Error");
    expect(reasonOf(starting(container("i", ended(1, { signal: 15 }))))).toBe("Init:Signal:15");
    expect(reasonOf(starting(container("i", ended(1))))).toBe("Init:ExitCode:1");
    expect(reasonOf(starting(container("i", waiting("ImagePullBackOff"))))).toBe("Init:ImagePullBackOff");
  });

  it("ignores init containers once the pod is initialized", () => {
    const status = starting(container("i", ended(1)));
    expect(
      reasonOf({ ...status, conditions: [{ type: "Initialized", status: "False" }], containerStatuses: [container("a", waiting("x"))] }),
    ).toBe("Init:ExitCode:1");
    expect(
      reasonOf({ ...status, conditions: [{ type: "Initialized", status: "True" }], containerStatuses: [container("a", waiting("x"))] }),
    ).toBe("x");
  });
});

describe("container counts of podSummary", () => {
  const fell = (finishedAt: string): Partial<ContainerStatus> => ({ lastState: { terminated: { exitCode: 1, finishedAt } } });

  it("include sidecars", () => {
    expect(
      podSummary(
        pod({
          initContainerStatuses: [
            container("i", ended(0)),
            container("s", { running: {} }, { started: true, ready: true }),
            container("j", ended(0)),
          ],
          containerStatuses: [container("a", { running: {} }, { ready: true }), container("b", { running: {} })],
        }),
      ),
    ).toMatchObject({ ready: 2, total: 3 });
  });

  it("add up restarts of init containers while initializing, then of containers and sidecars", () => {
    const initContainerStatuses = [
      container("i", ended(0), { restartCount: 5, ...fell("2003-01-01T00:00:00Z") }),
      container("s", { running: {} }, { started: true, restartCount: 2, ...fell("2001-01-01T00:00:00Z") }),
    ];
    const containerStatuses = [
      container("a", { running: {} }, { restartCount: 1, ...fell("2002-01-01T00:00:00Z") }),
      container("b", { running: {} }),
    ];
    expect(podSummary(pod({ initContainerStatuses, containerStatuses }))).toMatchObject({ restarts: 3, lastRestart: 1_009_843_200_000 });
    expect(
      podSummary(pod({ initContainerStatuses: [...initContainerStatuses, container("j", { running: {} })], containerStatuses })),
    ).toMatchObject({ restarts: 7, lastRestart: 1_041_379_200_000 });
  });
});
