/**
 * The life of a pod on a simulated node, one step at a time. Pure: the step follows from the pod and the time.
 *
 *     pod, now → podStep → its next status, or its removal, or how long to wait
 */
import type { Container, ContainerStatus, Pod, PodStatus } from "@drover/api/core/v1";
import { definedOnly, formatTime, parseTime, semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { containerStep, endedContainer, exitCodeOf, startedContainer, waitingContainer } from "./container-life.ts";
import type { ContainerStep } from "./container-life.ts";
import { podConditions } from "./pod-conditions.ts";
import type { ContainerRole, PodConduct } from "./pod-conduct.ts";

export type PodStep =
  | { readonly type: "status"; readonly status: PodStatus }
  /** No container runs any more: the object can be deleted. */
  | { readonly type: "remove" }
  | { readonly type: "wait"; readonly ms: number }
  /** Nothing happens until the pod changes. */
  | { readonly type: "rest" };

export interface NodeAddresses {
  readonly host: string;
  /** Address of the pod; host-network pods have the host's. */
  readonly pod: string;
}

export interface PodStepOptions {
  readonly now: number;
  readonly conduct: PodConduct;
  /** Returns the node's address and the pod's. */
  readonly addresses: () => NodeAddresses;
}

export function podStep(pod: DeepReadonly<Pod>, options: PodStepOptions): PodStep {
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  if (pod.metadata.deletionTimestamp !== undefined) return leaving(pod, options, isOver);
  if (isOver) return { type: "rest" };
  const {
    now,
    conduct: { startMs },
    addresses,
  } = options;
  const startTime = pod.status?.startTime ?? formatTime(now);
  const beganAt = pod.status?.startTime === undefined ? now : parseTime(startTime);
  const deadlineAt = pod.spec?.activeDeadlineSeconds === undefined ? Infinity : beganAt + pod.spec.activeDeadlineSeconds * 1000;
  if (deadlineAt <= now)
    return {
      type: "status",
      status: {
        ...killed(pod, now, 137),
        phase: "Failed",
        reason: "DeadlineExceeded",
        message: "Pod was active on the node longer than the specified deadline",
      },
    };
  const hasSandbox = beganAt + startMs <= now;
  const { steps, uninitialized, serving, phase } = hasSandbox ? advanced(pod, options) : untouched(pod);
  const { host, pod: ip } = addresses();
  const status: PodStatus = {
    phase,
    startTime,
    hostIP: host,
    hostIPs: [{ ip: host }],
    ...(hasSandbox ? { podIP: ip, podIPs: [{ ip }] } : {}),
    ...generation(pod),
    conditions: podConditions(pod, now, {
      phase,
      hasSandbox: hasSandbox && phase !== "Succeeded" && phase !== "Failed",
      uninitialized,
      serving,
    }),
    ...statuses(
      pod,
      steps.map((step) => step.status),
    ),
  };
  if (!says(pod.status, status)) return { type: "status", status };
  const dueAt = Math.min(deadlineAt, hasSandbox ? Infinity : beganAt + startMs, ...steps.map((step) => step.dueAt ?? Infinity));
  return dueAt === Infinity ? { type: "rest" } : { type: "wait", ms: Math.max(0, dueAt - now) };
}

/** How long the server may take to remove a pod without a grace period before it is asked again. */
const removalMs = 2000;

/**
 * The deletion timestamp is the end of the grace period. Writes the final container states only when a finalizer holds the pod or
 * stopping takes time; otherwise the pod is deleted without a last status.
 */
function leaving(pod: DeepReadonly<Pod>, { now, conduct: { stopMs } }: PodStepOptions, isOver: boolean): PodStep {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const graceMs = deletionGracePeriodSeconds * 1000;
  const isBeingRemoved = deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  const markedAt = (deletionTimestamp === undefined ? now : parseTime(deletionTimestamp)) - graceMs;
  const endsAt = markedAt + (isBeingRemoved ? removalMs : Math.min(stopMs, graceMs));
  if (endsAt > now) return { type: "wait", ms: endsAt - now };
  const isSeen = finalizers.length > 0 || stopMs > 0;
  // SIGTERM, or SIGKILL when the grace period was too short.
  return isOver || !isSeen ? { type: "remove" } : { type: "status", status: killed(pod, now, stopMs > graceMs ? 137 : 143) };
}

/** Terminates every running container; those that have not started stay so. */
function killed(pod: DeepReadonly<Pod>, now: number, exitCode: number): PodStatus {
  const all = containersOf(pod).map(({ known }) => endedContainer(known, now, exitCode));
  const { initContainers = [] } = pod.spec ?? {};
  const codes = all.slice(initContainers.length).map((status) => exitCodeOf(status));
  const phase = codes.every((code) => code === 0) ? "Succeeded" : "Failed";
  return {
    phase,
    ...generation(pod),
    conditions: podConditions(pod, now, { phase, hasSandbox: false, uninitialized: [], serving: all }),
    ...statuses(pod, all),
  };
}

interface Progress {
  /** In the order of `containersOf`. */
  readonly steps: readonly ContainerStep[];
  readonly uninitialized: readonly string[];
  readonly serving: readonly ContainerStatus[];
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed";
}

function untouched(pod: DeepReadonly<Pod>): Progress {
  const all = containersOf(pod);
  const steps = all.map(({ known }): ContainerStep => ({ status: known }));
  return {
    steps,
    uninitialized: all.filter(({ role }) => role !== "main").map(({ container }) => container.name),
    serving: all.filter(({ role }) => role !== "init").map(({ known }) => known),
    phase: "Pending",
  };
}

/** Init containers run one after another, then the others all at once. */
function advanced(pod: DeepReadonly<Pod>, { now, conduct }: PodStepOptions): Progress {
  const { restartPolicy = "Always" } = pod.spec ?? {};
  const podName = `${pod.metadata.name ?? ""}_${pod.metadata.namespace ?? ""}(${pod.metadata.uid ?? ""})`;
  const uninitialized: string[] = [];
  let hasFailed = false;
  const all = containersOf(pod).map(({ container, role, known }) => {
    const isRestarted = (exitCode: number): boolean =>
      role === "sidecar" || (restartPolicy === "Always" && role === "main") || (restartPolicy !== "Never" && exitCode !== 0);
    const options = { now, conduct: conduct.container(container.name, role), isRestarted, podName };
    const isTurn = uninitialized.length === 0 && !hasFailed;
    let step = isFresh(known) ? (isTurn ? startedContainer(known, options, 0) : { status: known }) : containerStep(known, options);
    // An init container that finishes as soon as it starts is not shown running.
    if (role === "init" && step.dueAt !== undefined && step.dueAt <= now && options.conduct.exitCode === 0)
      step = containerStep(step.status, options);
    if (role === "init" && exitCodeOf(step.status) === 0) step = { status: { ...step.status, ready: true } };
    if (role === "init" && exitCodeOf(step.status) !== 0) uninitialized.push(container.name);
    if (role === "sidecar" && step.status.started !== true) uninitialized.push(container.name);
    if (role === "init" && (exitCodeOf(step.status) ?? 0) !== 0) hasFailed = true;
    return { role, step };
  });
  const codes = all.filter(({ role }) => role === "main").map(({ step }) => exitCodeOf(step.status));
  const isDone = hasFailed || codes.every((code) => code !== undefined);
  const steps = all.map(({ role, step }) => (isDone && role === "sidecar" ? { status: endedContainer(step.status, now, 0) } : step));
  const serving = all.flatMap(({ role, step }) => (role === "init" ? [] : [step.status]));
  const done = hasFailed || codes.some((code) => code !== 0) ? "Failed" : "Succeeded";
  return { steps, uninitialized, serving, phase: isDone ? done : uninitialized.length > 0 ? "Pending" : "Running" };
}

interface PodContainer {
  readonly container: DeepReadonly<Container>;
  readonly role: ContainerRole;
  readonly known: ContainerStatus;
}

/** In start order. */
function containersOf({ spec, status }: DeepReadonly<Pod>): readonly PodContainer[] {
  const { initContainers = [], containers = [] } = spec ?? {};
  const known = new Map([...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((each) => [each.name, each]));
  const reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const of = (container: DeepReadonly<Container>, role: ContainerRole): PodContainer => ({
    container,
    role,
    known: { ...(known.get(container.name) ?? waitingContainer(container, reason)) } as ContainerStatus,
  });
  return [
    ...initContainers.map((container) => of(container, container.restartPolicy === "Always" ? "sidecar" : "init")),
    ...containers.map((container) => of(container, "main")),
  ];
}

const isFresh = ({ state }: ContainerStatus): boolean => state?.waiting !== undefined && state.waiting.reason !== "CrashLoopBackOff";

function statuses(
  { spec }: DeepReadonly<Pod>,
  all: readonly ContainerStatus[],
): Pick<PodStatus, "containerStatuses" | "initContainerStatuses"> {
  const count = spec?.initContainers?.length ?? 0;
  return { ...(count === 0 ? {} : { initContainerStatuses: all.slice(0, count) }), containerStatuses: all.slice(count) };
}

const generation = ({ metadata }: DeepReadonly<Pod>): { readonly observedGeneration?: number } =>
  definedOnly({ observedGeneration: metadata.generation });

/** Whether the status contains all of this already; conditions of others do not count. */
function says(known: DeepReadonly<PodStatus> | undefined, wanted: PodStatus): boolean {
  const { conditions = [], ...fields } = wanted;
  const before = new Map((known?.conditions ?? []).map((condition) => [condition.type, condition]));
  const isSaid = (key: string, value: unknown): boolean =>
    semanticEqual((known as Readonly<Record<string, unknown>> | undefined)?.[key], value);
  return (
    Object.entries(fields).every(([key, value]) => isSaid(key, value)) &&
    conditions.every((condition) => semanticEqual(before.get(condition.type), condition))
  );
}
