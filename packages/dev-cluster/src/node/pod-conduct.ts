/**
 * How the containers of a simulated pod behave: annotations of the pod, with defaults for all pods.
 *
 *     "drover.dev/exit-code": "1"           for the pod's containers
 *     "drover.dev/exit-code.proxy": "1"     for one of them, init containers and sidecars included
 *
 * Probes do not run: annotations say when a container has started and when it is ready.
 */
import type { Pod } from "@drover/api/core/v1";
import { getOwn, parseDuration } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** All times in milliseconds. */
export interface ContainerConduct {
  /** From the container's start until it counts as started, as a startup probe would find. */
  readonly startedAfterMs: number;
  /** From then until it is ready. */
  readonly readyAfterMs: number;
  /** Whether it ever becomes ready. */
  readonly isReady: boolean;
  /** From the container's start to its exit; undefined when it never exits. */
  readonly exitAfterMs: number | undefined;
  readonly exitCode: number;
}

export interface PodConduct {
  /** From binding until the first container runs: images, volumes, network. */
  readonly startMs: number;
  /** From the deletion request to the end, at most the grace period. */
  readonly stopMs: number;
  readonly container: (name: string, role: ContainerRole) => ContainerConduct;
}

/** A regular container, an init container, or a sidecar. */
export type ContainerRole = "main" | "init" | "sidecar";

export type PodTimes = Pick<PodConduct, "startMs" | "stopMs"> & { /** How long pods of Jobs run. */ readonly jobMs: number };

/** No delays. */
export const promptPods: PodTimes = { startMs: 0, stopMs: 0, jobMs: 0 };
/** Delays of a small cluster with cached images; people can follow it. */
export const unhurriedPods: PodTimes = { startMs: 1000, stopMs: 1000, jobMs: 2000 };

/** Supported annotations; all but the first two may end in "." and a container name. pod-log.ts has those for logs. */
export const conductAnnotations = {
  startAfter: "drover.dev/start-after",
  stopAfter: "drover.dev/stop-after",
  startedAfter: "drover.dev/started-after",
  readyAfter: "drover.dev/ready-after",
  ready: "drover.dev/ready",
  exitAfter: "drover.dev/exit-after",
  exitCode: "drover.dev/exit-code",
} as const;

type Annotation = keyof typeof conductAnnotations;

/** Throws for an invalid annotation and names it; those of a container when that container is requested. */
export function podConduct({ metadata }: DeepReadonly<Pod>, times: PodTimes): PodConduct {
  const { annotations = {}, ownerReferences = [] } = metadata;
  const isOfJob = ownerReferences.some(({ kind, controller }) => kind === "Job" && controller === true);
  const forPod = (name: Annotation): Found => found(annotations, conductAnnotations[name]);
  const container = (containerName: string, role: ContainerRole): ContainerConduct => {
    const text = (name: Annotation): Found => {
      const own = found(annotations, `${conductAnnotations[name]}.${containerName}`);
      return own.text === undefined && role === "main" ? forPod(name) : own;
    };
    const exitCode = read(text("exitCode"), "a whole number from 0 to 255", wholeNumber);
    const usualEnd = role === "init" ? 0 : role === "main" && isOfJob ? times.jobMs : undefined;
    return {
      startedAfterMs: duration(text("startedAfter")) ?? 0,
      readyAfterMs: duration(text("readyAfter")) ?? 0,
      isReady: text("ready").text !== "false",
      exitAfterMs: duration(text("exitAfter")) ?? (exitCode !== undefined ? 0 : usualEnd),
      exitCode: exitCode ?? 0,
    };
  };
  return { startMs: duration(forPod("startAfter")) ?? times.startMs, stopMs: duration(forPod("stopAfter")) ?? times.stopMs, container };
}

interface Found {
  readonly key: string;
  readonly text: string | undefined;
}

const found = (annotations: Readonly<Record<string, string>>, key: string): Found => ({ key, text: getOwn(annotations, key) });

const duration = (annotation: Found): number | undefined => read(annotation, 'a duration like "5s"', (value) => parseDuration(value));

function read<T>({ key, text }: Found, what: string, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`annotation ${key} must be ${what}, not ${JSON.stringify(text)}`, { cause: error });
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value > 255) throw new RangeError(text);
  return value;
}
