/**
 * The life of one container, one step at a time.
 *
 *     waiting → running → ready → terminated, or waiting for a restart → running …
 */
import type { Container, ContainerState, ContainerStatus } from "@drover/api/core/v1";
import { formatDuration, formatTime, parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ContainerConduct } from "./pod-conduct.ts";

type Known = DeepReadonly<ContainerStatus>;

export interface ContainerStepOptions {
  readonly now: number;
  readonly conduct: ContainerConduct;
  /** Whether it restarts after exiting with this code. */
  readonly isRestarted: (exitCode: number) => boolean;
  /** The pod in the kubelet's words: "web-0_shop(uid)". */
  readonly podName: string;
}

export interface ContainerStep {
  /** New status. */
  readonly status: ContainerStatus;
  /** Time of the next transition; undefined when none comes by itself. */
  readonly dueAt?: number;
}

/** Restart backoff: 10 s, doubled each time, at most 5 minutes. */
const backOffMs = 10_000;
const backOffMaxMs = 300_000;
/** A container that ran for this long restarts at once. */
const forgivenMs = 2 * backOffMaxMs;

/** Status before the first start. */
export function waitingContainer(
  { name, image = "" }: DeepReadonly<Container>,
  reason: "ContainerCreating" | "PodInitializing",
): ContainerStatus {
  return { name, image, imageID: "", restartCount: 0, ready: false, started: false, state: { waiting: { reason } }, lastState: {} };
}

/** Status after a start or restart. */
export function startedContainer(
  before: Known,
  { now, conduct }: Pick<ContainerStepOptions, "now" | "conduct">,
  restartCount: number,
): ContainerStep {
  return runningStep({ ...before, restartCount, state: { running: { startedAt: formatTime(now) } } }, { now, conduct });
}

/** Returns the next step of a container that has started; one that waits stays as it is. */
export function containerStep(before: Known, options: ContainerStepOptions): ContainerStep {
  const { now, conduct } = options;
  const { state, restartCount } = before;
  if (state?.waiting?.reason === "CrashLoopBackOff") {
    const mayAt = timeOf(before.lastState?.terminated?.finishedAt, now) + backOffOf(restartCount);
    return mayAt > now ? { status: copyOf(before), dueAt: mayAt } : startedContainer(before, options, restartCount + 1);
  }
  if (state?.running === undefined) return { status: copyOf(before) };
  const exitAt = conduct.exitAfterMs === undefined ? Infinity : timeOf(state.running.startedAt, now) + conduct.exitAfterMs;
  if (exitAt > now) return runningStep(before, options);
  const ended = endedState(before, now, conduct.exitCode);
  if (!options.isRestarted(conduct.exitCode)) return { status: { ...copyOf(before), ready: false, started: false, state: ended } };
  const isForgiven = restartCount === 0 || now - timeOf(state.running.startedAt, now) >= forgivenMs;
  if (isForgiven) return startedContainer({ ...before, lastState: ended }, options, restartCount + 1);
  const message = `back-off ${formatDuration(backOffOf(restartCount))} restarting failed container=${before.name} pod=${options.podName}`;
  return {
    status: {
      ...copyOf(before),
      ready: false,
      started: false,
      state: { waiting: { reason: "CrashLoopBackOff", message } },
      lastState: ended,
    },
    dueAt: now + backOffOf(restartCount),
  };
}

/** Status of a container that was stopped from outside. */
export function endedContainer(before: Known, now: number, exitCode: number): ContainerStatus {
  return before.state?.running === undefined
    ? copyOf(before)
    : { ...copyOf(before), ready: false, started: false, state: endedState(before, now, exitCode) };
}

/** Exit code if it has terminated for good. */
export const exitCodeOf = ({ state }: Known): number | undefined => state?.terminated?.exitCode;

function runningStep(
  before: Known,
  { now, conduct: { startedAfterMs, readyAfterMs, isReady, exitAfterMs } }: Pick<ContainerStepOptions, "now" | "conduct">,
): ContainerStep {
  const beganAt = timeOf(before.state?.running?.startedAt, now);
  const [startedAt, readyAt] = [beganAt + startedAfterMs, isReady ? beganAt + startedAfterMs + readyAfterMs : Infinity];
  const later = [startedAt, readyAt, exitAfterMs === undefined ? Infinity : beganAt + exitAfterMs].filter(
    (time) => time > now && time < Infinity,
  );
  const status = { ...copyOf(before), started: startedAt <= now, ready: readyAt <= now };
  return later.length === 0 ? withExit(status, beganAt, exitAfterMs) : { status, dueAt: Math.min(...later) };
}

/** A container that exits at once is shown running first. */
const withExit = (status: ContainerStatus, beganAt: number, exitAfterMs: number | undefined): ContainerStep =>
  exitAfterMs === undefined ? { status } : { status, dueAt: beganAt + exitAfterMs };

const backOffOf = (restarts: number): number => Math.min(backOffMaxMs, backOffMs * 2 ** Math.min(Math.max(0, restarts - 1), 10));

function endedState(before: Known, now: number, exitCode: number): ContainerState {
  const finishedAt = formatTime(now);
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
      startedAt: before.state?.running?.startedAt ?? finishedAt,
      finishedAt,
    },
  };
}

/** A shallow writable copy; nested objects are never written. */
const copyOf = (status: Known): ContainerStatus => ({ ...status }) as ContainerStatus;

const timeOf = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : parseTime(text));
