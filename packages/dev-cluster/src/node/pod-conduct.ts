/**
 * How the containers of a simulated pod behave: what annotations of the pod say, and for the rest what all pods do.
 *
 *     metadata.annotations: "drover.dev/exit-code": "1" → podConduct → pod-step.ts
 */
import type { Pod } from "@drover/api/core/v1";
import { getOwn, parseDuration } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** All times in milliseconds. */
export interface PodConduct {
  /** From the binding until the containers run: images, volumes, networks. */
  readonly startMs: number;
  /** From then until they are ready. */
  readonly readyAfterMs: number;
  /** Whether they ever are. */
  readonly isReady: boolean;
  /** From the start of the containers to their end; undefined when they go on for ever. */
  readonly exitAfterMs: number | undefined;
  readonly exitCode: number;
  /** From the mark of deletion to the end; never longer than the time of grace. */
  readonly stopMs: number;
}

export type PodTimes = Pick<PodConduct, "startMs" | "stopMs"> & { /** How long pods of Jobs take. */ readonly jobMs: number };

/** As fast as can be. */
export const promptPods: PodTimes = { startMs: 0, stopMs: 0, jobMs: 0 };
/** As in a small cluster whose images are at hand; people can follow it. */
export const unhurriedPods: PodTimes = { startMs: 1000, stopMs: 1000, jobMs: 2000 };

/** The annotations that are understood. */
export const conductAnnotations = {
  startAfter: "drover.dev/start-after",
  readyAfter: "drover.dev/ready-after",
  ready: "drover.dev/ready",
  exitAfter: "drover.dev/exit-after",
  exitCode: "drover.dev/exit-code",
  stopAfter: "drover.dev/stop-after",
} as const;

/** Throws for an annotation that cannot be read, naming it. */
export function podConduct({ metadata }: DeepReadonly<Pod>, times: PodTimes): PodConduct {
  const { annotations = {}, ownerReferences = [] } = metadata;
  const text = (name: keyof typeof conductAnnotations): string | undefined => getOwn(annotations, conductAnnotations[name]);
  const duration = (name: keyof typeof conductAnnotations): number | undefined => read(text(name), name, 'a duration like "5s"', (value) => parseDuration(value));
  const isOfJob = ownerReferences.some(({ kind, controller }) => kind === "Job" && controller === true);
  const exitCode = read(text("exitCode"), "exitCode", "a whole number from 0 to 255", wholeNumber);
  const exitAfterMs = duration("exitAfter") ?? (exitCode !== undefined ? 0 : isOfJob ? times.jobMs : undefined);
  return {
    startMs: duration("startAfter") ?? times.startMs,
    readyAfterMs: duration("readyAfter") ?? 0,
    isReady: text("ready") !== "false",
    exitAfterMs,
    exitCode: exitCode ?? 0,
    stopMs: duration("stopAfter") ?? times.stopMs,
  };
}

function read<T>(text: string | undefined, name: keyof typeof conductAnnotations, what: string, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`annotation ${conductAnnotations[name]} must be ${what}, not ${JSON.stringify(text)}`, { cause: error });
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value > 255) throw new RangeError(text);
  return value;
}
