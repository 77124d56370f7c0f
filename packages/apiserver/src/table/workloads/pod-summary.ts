/**
 * Summarizes a pod's containers: ready count, restarts and one word for the state.
 *
 *     Pod → podSummary → podPrinter
 */
import type { ContainerStatus, Pod, PodStatus } from "@drover/api/core/v1";
import { parseTime } from "@drover/machinery";

export interface PodSummary {
  readonly ready: number;
  /** Number of containers and sidecars. */
  readonly total: number;
  /** "Running", "CrashLoopBackOff", "Init:1/2", "Terminating" … */
  readonly reason: string;
  readonly restarts: number;
  /** When a container last terminated before a restart, in milliseconds since 1970. */
  readonly lastRestart: number | undefined;
}

export function podSummary(pod: Pod): PodSummary {
  const { spec, status = {} } = pod;
  const sidecars = new Set(spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name));
  const start = initialization(pod, sidecars);
  const goesOn = start.reason === undefined || status.conditions?.find(({ type }) => type === "Initialized")?.status === "True";
  const containers = status.containerStatuses ?? [];
  const ran = goesOn ? [...start.seen.filter(({ name }) => sidecars.has(name)), ...containers] : start.seen;
  const began = start.reason ?? phaseReason(status);
  return {
    ready: start.ready + (goesOn ? containers.filter(isRunningReady).length : 0),
    total: (spec?.containers ?? []).length + sidecars.size,
    reason: ending(pod) ?? (goesOn ? containersReason(status, began) : began),
    restarts: ran.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestart: lastRestartOf(ran),
  };
}

function phaseReason({ phase, reason, conditions }: PodStatus): string {
  const isGated = conditions?.some((condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated");
  return isGated === true ? "SchedulingGated" : reason || (phase ?? "");
}

interface Initialization {
  /** Statuses of the init containers up to the running or failed one. */
  readonly seen: readonly ContainerStatus[];
  /** Number of ready sidecars. */
  readonly ready: number;
  /** Why the pod is not initialized; undefined once it is. */
  readonly reason: string | undefined;
}

function initialization({ spec, status }: Pod, sidecars: ReadonlySet<string>): Initialization {
  const statuses = status?.initContainerStatuses ?? [];
  let ready = 0;
  for (const [index, container] of statuses.entries()) {
    const { name, state, started } = container;
    if (state?.terminated?.exitCode === 0) continue;
    if (sidecars.has(name) && started === true) {
      if (container.ready) ready++;
      continue;
    }
    return {
      seen: statuses.slice(0, index + 1),
      ready,
      reason: `Init:${initReason(container) ?? `${index}/${(spec?.initContainers ?? []).length}`}`,
    };
  }
  return { seen: statuses, ready, reason: undefined };
}

/** Undefined for a container that is running or has succeeded. */
function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return terminationReason(state.terminated);
  const reason = state?.waiting?.reason || undefined;
  return reason === "PodInitializing" ? undefined : reason;
}

const terminationReason = ({ reason, signal = 0, exitCode }: NonNullable<NonNullable<ContainerStatus["state"]>["terminated"]>): string =>
  reason || (signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`);

/** The first container with a reason determines that of the pod; a completed one does not while others run. */
function containersReason({ containerStatuses = [], conditions }: PodStatus, began: string): string {
  const reason = containerStatuses.map(containerReason).find((each) => each !== undefined) ?? began;
  if (reason !== "Completed") return reason;
  const isRunning = containerStatuses.some(isRunningReady);
  if (isRunning && conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true) return "Running";
  const failed = containerStatuses.find((container) => !isWaiting(container) && (container.state?.terminated?.exitCode ?? 0) !== 0);
  return (failed && containerReason(failed)) ?? (isRunning ? "NotReady" : reason);
}

function containerReason(container: ContainerStatus): string | undefined {
  const { state } = container;
  if (isWaiting(container)) return state?.waiting?.reason;
  return state?.terminated && terminationReason(state.terminated);
}

const isWaiting = ({ state }: ContainerStatus): boolean => Boolean(state?.waiting?.reason);
const isRunningReady = (container: ContainerStatus): boolean =>
  containerReason(container) === undefined && container.ready && container.state?.running !== undefined;

/** The state of a terminating pod, whatever its containers do. */
function ending({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (status?.reason === "NodeLost") return "Unknown";
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? undefined : "Terminating";
}

function lastRestartOf(containers: readonly ContainerStatus[]): number | undefined {
  const times = containers
    .map(({ lastState }) => lastState?.terminated?.finishedAt)
    .filter((time) => time !== undefined && time !== null)
    .map(parseTime);
  return times.length === 0 ? undefined : Math.max(...times);
}
