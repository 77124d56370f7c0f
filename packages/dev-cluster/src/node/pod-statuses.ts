/** What a kubelet says of a pod in each state of its life. */
import type { Container, ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from "@drover/api/core/v1";
import { formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export interface NodeAddresses {
  readonly host: string;
  /** Of the pod; pods on the host's network have the host's. */
  readonly pod: string;
}

type SeenPod = DeepReadonly<Pod>;

/** Bound, and its containers are being made. */
export function creating(pod: SeenPod, now: number, { host }: NodeAddresses): PodStatus {
  const startTime = formatTime(now);
  return {
    phase: "Pending", hostIP: host, hostIPs: [{ ip: host }], startTime, ...generation(pod),
    conditions: conditions(pod, now, { PodReadyToStartContainers: false, Initialized: true, ContainersReady: false, Ready: false }),
    ...allContainers(pod, (container) => ({ ...basics(container), ready: false, started: false, state: { waiting: { reason: "ContainerCreating" } } })),
  };
}

/** All containers run, ready or not; those before them are done. */
export function running(pod: SeenPod, now: number, { host, pod: ip }: NodeAddresses, { isReady }: { readonly isReady: boolean }): PodStatus {
  const startedAt = formatTime(now);
  const known = knownContainers(pod);
  return {
    phase: "Running", hostIP: host, hostIPs: [{ ip: host }], podIP: ip, podIPs: [{ ip }], startTime: pod.status?.startTime ?? startedAt, ...generation(pod),
    conditions: conditions(pod, now, { PodReadyToStartContainers: true, Initialized: true, ContainersReady: isReady, Ready: isReady }),
    ...allContainers(pod, (container) => {
      const before = known.get(container.name);
      return { ...basics(container), ...carried(before), ready: isReady, started: true, state: before?.state?.running === undefined ? { running: { startedAt } } : before.state };
    }, startedAt),
  };
}

/** Every container has ended, and none comes back. */
export function completed(pod: SeenPod, now: number, exitCode: number): PodStatus {
  const known = knownContainers(pod);
  return {
    phase: exitCode === 0 ? "Succeeded" : "Failed", ...generation(pod),
    conditions: conditions(pod, now, { PodReadyToStartContainers: false, Initialized: true, ContainersReady: false, Ready: false }, exitCode === 0 ? "PodCompleted" : "PodFailed"),
    ...mainContainers(pod, (container) => ({ ...basics(container), ...carried(known.get(container.name)), ready: false, started: false, state: terminated(known.get(container.name), now, exitCode) })),
  };
}

/** Every container has ended, and is to be started again in a while. */
export function backingOff(pod: SeenPod, now: number, exitCode: number): PodStatus {
  const known = knownContainers(pod);
  return {
    phase: "Running", ...generation(pod),
    conditions: conditions(pod, now, { PodReadyToStartContainers: true, Initialized: true, ContainersReady: false, Ready: false }),
    ...mainContainers(pod, (container) => {
      const message = `back-off restarting failed container=${container.name} pod=${pod.metadata.name ?? ""}_${pod.metadata.namespace ?? ""}(${pod.metadata.uid ?? ""})`;
      return { ...basics(container), ...carried(known.get(container.name)), ready: false, started: false, state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: terminated(known.get(container.name), now, exitCode) };
    }),
  };
}

/** Every container runs once more. */
export function restarted(pod: SeenPod, now: number): PodStatus {
  const known = knownContainers(pod);
  return {
    phase: "Running", ...generation(pod),
    conditions: conditions(pod, now, { PodReadyToStartContainers: true, Initialized: true, ContainersReady: true, Ready: true }),
    ...mainContainers(pod, (container) => {
      const before = known.get(container.name);
      return { ...basics(container), ...carried(before), restartCount: (before?.restartCount ?? 0) + 1, ready: true, started: true, state: { running: { startedAt: formatTime(now) } } };
    }),
  };
}

type Truths = Readonly<Record<"PodReadyToStartContainers" | "Initialized" | "ContainersReady" | "Ready", boolean>>;

/** Times move only where the status does. */
function conditions(pod: SeenPod, now: number, truths: Truths, reason = "ContainersNotReady"): PodCondition[] {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name);
  const before = new Map((pod.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const all = { ...truths, PodScheduled: true };
  return Object.entries(all).map(([type, isTrue]) => {
    const status: PodCondition["status"] = isTrue ? "True" : "False";
    const known = before.get(type);
    const lastTransitionTime = known?.status === status && known.lastTransitionTime !== undefined ? known.lastTransitionTime : formatTime(now);
    const isAboutContainers = !isTrue && type.endsWith("Ready");
    const message = reason === "ContainersNotReady" ? { message: `containers with unready status: [${names.join(" ")}]` } : {};
    return { type, status, lastTransitionTime, ...generation(pod), ...(isAboutContainers ? { reason, ...message } : {}) };
  });
}

function generation({ metadata }: SeenPod): { readonly observedGeneration?: number } {
  return metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
}

type Described = (container: DeepReadonly<Container>) => ContainerStatus;

function mainContainers({ spec }: SeenPod, describe: Described): Pick<PodStatus, "containerStatuses"> {
  return { containerStatuses: (spec?.containers ?? []).map(describe) };
}

/** Those before the others are waited for, or done; sidecars are as the others are. */
function allContainers(pod: SeenPod, describe: Described, doneAt?: string): Pick<PodStatus, "containerStatuses" | "initContainerStatuses"> {
  const { initContainers = [] } = pod.spec ?? {};
  if (initContainers.length === 0) return mainContainers(pod, describe);
  const initContainerStatuses = initContainers.map((container): ContainerStatus => {
    if (container.restartPolicy === "Always" || doneAt === undefined) return describe(container);
    return { ...basics(container), ready: true, started: false, state: { terminated: { exitCode: 0, reason: "Completed", startedAt: doneAt, finishedAt: doneAt } } };
  });
  return { ...mainContainers(pod, describe), initContainerStatuses };
}

function basics({ name, image = "" }: DeepReadonly<Container>): Pick<ContainerStatus, "name" | "image" | "imageID" | "restartCount" | "ready" | "lastState"> {
  return { name, image, imageID: "", restartCount: 0, ready: false, lastState: {} };
}

/** What does not change with the state of a container. */
function carried(before: DeepReadonly<ContainerStatus> | undefined): Partial<ContainerStatus> {
  if (before === undefined) return {};
  const { restartCount, lastState } = before;
  return { restartCount, ...(lastState === undefined ? {} : { lastState }) };
}

function terminated(before: DeepReadonly<ContainerStatus> | undefined, now: number, exitCode: number): ContainerState {
  const finishedAt = formatTime(now);
  return { terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error", startedAt: before?.state?.running?.startedAt ?? finishedAt, finishedAt } };
}

const knownContainers = ({ status }: SeenPod): ReadonlyMap<string, DeepReadonly<ContainerStatus>> => new Map([...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((known) => [known.name, known]));
