/**
 * The life of a pod on a simulated node, one step at a time. Pure: what is to be done follows from the pod and the time.
 *
 *     pod, now → podStep → its next status, or its end, or how long nothing will happen
 */
import type { ContainerStatus, Pod, PodStatus } from "@drover/api/core/v1";
import { parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { PodConduct } from "./pod-conduct.ts";
import { backingOff, completed, creating, restarted, running } from "./pod-statuses.ts";
import type { NodeAddresses } from "./pod-statuses.ts";

export type PodStep =
  | { readonly type: "status"; readonly status: PodStatus }
  /** Nothing of it runs any more: the object can go. */
  | { readonly type: "remove" }
  | { readonly type: "wait"; readonly ms: number }
  /** Nothing will happen until the pod changes. */
  | { readonly type: "rest" };

export interface PodStepOptions {
  readonly now: number;
  readonly conduct: PodConduct;
  /** The addresses of the node, and the one this pod gets. */
  readonly addresses: () => NodeAddresses;
}

/** A container that ends too often is started again after 10 s, and each time after twice as long, at most 5 minutes. */
const backOffMs = 10_000;
const backOffMaxMs = 300_000;

export function podStep(pod: DeepReadonly<Pod>, options: PodStepOptions): PodStep {
  if (pod.metadata.deletionTimestamp !== undefined) return leaving(pod, options);
  const { phase = "Pending", startTime, containerStatuses = [] } = pod.status ?? {};
  if (phase === "Succeeded" || phase === "Failed") return { type: "rest" };
  if (phase === "Pending") return starting(pod, startTime, options);
  const backingOffSince = containerStatuses.find(({ state }) => state?.waiting?.reason === "CrashLoopBackOff")?.lastState?.terminated?.finishedAt;
  return backingOffSince === undefined ? going(pod, options) : waitingForRestart(pod, backingOffSince, options);
}

/** The mark of deletion says when the time of grace is over. */
function leaving({ metadata }: DeepReadonly<Pod>, { now, conduct: { stopMs } }: PodStepOptions): PodStep {
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const markedAt = timeOf(metadata.deletionTimestamp, now) - graceMs;
  return at(markedAt + Math.min(stopMs, graceMs), now, { type: "remove" });
}

function starting(pod: DeepReadonly<Pod>, startTime: string | undefined, { now, conduct, addresses }: PodStepOptions): PodStep {
  if (startTime === undefined && conduct.startMs > 0) return { type: "status", status: creating(pod, now, addresses()) };
  return at(timeOf(startTime, now) + conduct.startMs, now, () => ({ type: "status", status: running(pod, now, addresses(), { isReady: conduct.isReady && conduct.readyAfterMs <= 0 }) }));
}

function going(pod: DeepReadonly<Pod>, { now, conduct, addresses }: PodStepOptions): PodStep {
  const { containerStatuses = [] } = pod.status ?? {};
  const startedAt = Math.max(...containerStatuses.map(({ state }) => timeOf(state?.running?.startedAt, now)));
  const isReady = containerStatuses.every(({ ready }) => ready);
  const steps: { readonly at: number; readonly step: () => PodStep }[] = [];
  if (conduct.exitAfterMs !== undefined) steps.push({ at: startedAt + conduct.exitAfterMs, step: () => ({ type: "status", status: ended(pod, now, conduct.exitCode) }) });
  if (isReady !== conduct.isReady) steps.push({ at: startedAt + (conduct.isReady ? conduct.readyAfterMs : 0), step: () => ({ type: "status", status: running(pod, now, addresses(), { isReady: conduct.isReady }) }) });
  const [first] = steps.toSorted((a, b) => a.at - b.at);
  return first === undefined ? { type: "rest" } : at(first.at, now, first.step);
}

/** Containers that are to be restarted wait for it; for others this was the end of the pod. */
function ended(pod: DeepReadonly<Pod>, now: number, exitCode: number): PodStatus {
  const { restartPolicy = "Always" } = pod.spec ?? {};
  const isRestarted = restartPolicy === "Always" || (restartPolicy === "OnFailure" && exitCode !== 0);
  return isRestarted ? backingOff(pod, now, exitCode) : completed(pod, now, exitCode);
}

function waitingForRestart(pod: DeepReadonly<Pod>, since: string, { now }: PodStepOptions): PodStep {
  const restarts = Math.max(...(pod.status?.containerStatuses ?? []).map(({ restartCount }: DeepReadonly<ContainerStatus>) => restartCount));
  const waitMs = Math.min(backOffMaxMs, backOffMs * 2 ** Math.min(restarts, 10));
  return at(timeOf(since, now) + waitMs, now, () => ({ type: "status", status: restarted(pod, now) }));
}

function at(time: number, now: number, step: PodStep | (() => PodStep)): PodStep {
  if (time > now) return { type: "wait", ms: time - now };
  return typeof step === "function" ? step() : step;
}

const timeOf = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : parseTime(text));
