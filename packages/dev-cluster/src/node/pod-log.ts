/**
 * The log of a simulated container: lines from an annotation, or else its life events.
 *
 *     "drover.dev/log": "listening on :80"        each line once, when the container starts
 *     "drover.dev/log-every": "1s"                …and again, this often
 *
 * Both may end in "." and a container name. Pure: pod, container, options → logOf → its lines so far, or why there are none.
 */
import type { ContainerStatus, Pod } from "@drover/api/core/v1";
import type { PodLogOptions } from "@drover/apiserver";
import { definedOnly, formatMicroTime, getOwn, millisToMicros, parseDuration, parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { PodConduct } from "./pod-conduct.ts";

export const logAnnotations = { log: "drover.dev/log", every: "drover.dev/log-every" } as const;

/** Older lines are dropped, as log rotation would. */
export const linesMax = 10_000;

export interface LogLine {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

export interface ContainerLog {
  /** Identifies the run of the container: its start time. */
  readonly run: string;
  /** In order. */
  readonly lines: readonly LogLine[];
  /** Whether no more lines will come. */
  readonly isOver: boolean;
}

export interface LogContext {
  readonly now: number;
  readonly conduct: PodConduct;
}

/** Returns the log, or the kubelet's message why it is not available. */
export function logOf(
  pod: DeepReadonly<Pod>,
  container: string,
  { previous }: Pick<PodLogOptions, "previous">,
  { now, conduct }: LogContext,
): ContainerLog | { readonly refusal: string } {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container);
  const [quotedContainer, quotedPod] = [JSON.stringify(container), JSON.stringify(pod.metadata.name ?? "")];
  if (status === undefined) return { refusal: `container ${quotedContainer} in pod ${quotedPod} is not available` };
  const run = runOf(status, previous);
  if (run !== undefined)
    return { run: run.startedAt, lines: linesOf(pod, container, { run, now, conduct }), isOver: run.finishedAt !== undefined };
  if (previous) return { refusal: `previous terminated container ${quotedContainer} in pod ${quotedPod} not found` };
  return { refusal: `container ${quotedContainer} in pod ${quotedPod} is waiting to start: ${status.state?.waiting?.reason ?? ""}` };
}

/** Returns the requested lines as they are sent. */
export function selectedLines(
  lines: readonly LogLine[],
  { sinceMs = -Infinity, tailLines, timestamps }: Pick<PodLogOptions, "sinceMs" | "tailLines" | "timestamps">,
): readonly string[] {
  const recent = lines.filter(({ at }) => at >= sinceMs);
  const last = tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  return last.map((line) => printLine(line, timestamps));
}

export const printLine = ({ at, text }: LogLine, timestamps: boolean): string =>
  `${timestamps ? `${formatMicroTime(millisToMicros(at)).replace("Z", "000Z")} ` : ""}${text}\n`;

interface Run {
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly exitCode?: number;
}

/** The requested run: the current or the previous one. */
function runOf({ state, lastState }: DeepReadonly<ContainerStatus>, previous: boolean): Run | undefined {
  const ended = previous
    ? lastState?.terminated
    : (state?.terminated ?? (state?.running === undefined ? lastState?.terminated : undefined));
  if (ended?.startedAt !== undefined)
    return {
      startedAt: ended.startedAt,
      exitCode: ended.exitCode,
      ...definedOnly({ finishedAt: ended.finishedAt }),
    };
  return previous || state?.running?.startedAt === undefined ? undefined : { startedAt: state.running.startedAt };
}

function linesOf(pod: DeepReadonly<Pod>, container: string, { run, now, conduct }: LogContext & { readonly run: Run }): readonly LogLine[] {
  const { annotations = {} } = pod.metadata;
  const said = (name: keyof typeof logAnnotations): string | undefined =>
    getOwn(annotations, `${logAnnotations[name]}.${container}`) ?? getOwn(annotations, logAnnotations[name]);
  const [beganAt, until] = [parseTime(run.startedAt), run.finishedAt === undefined ? now : parseTime(run.finishedAt)];
  const text = said("log");
  if (text === undefined) return lifeLines(pod, container, { run, beganAt, until, conduct });
  const lines = text.replace(/\n$/, "").split("\n");
  const every = said("every");
  if (every === undefined) return lines.map((line) => ({ at: beganAt, text: line }));
  const everyMs = parseDuration(every);
  if (!(everyMs >= 1))
    throw new Error(
      `annotation ${logAnnotations.every} must be a duration of a millisecond or more, like "1s", not ${JSON.stringify(every)}`,
    );
  const last = Math.max(0, Math.floor((until - beganAt) / everyMs));
  const first = Math.max(0, last + 1 - Math.ceil(linesMax / lines.length));
  return Array.from({ length: last - first + 1 }, (_, index) => beganAt + (first + index) * everyMs).flatMap((at) =>
    lines.map((line) => ({ at, text: line })),
  );
}

function lifeLines(
  { spec }: DeepReadonly<Pod>,
  container: string,
  { run, beganAt, until, conduct }: { readonly run: Run; readonly beganAt: number; readonly until: number; readonly conduct: PodConduct },
): readonly LogLine[] {
  const isInit = (spec?.initContainers ?? []).find(({ name }) => name === container);
  const { startedAfterMs, readyAfterMs, isReady } = conduct.container(
    container,
    isInit === undefined ? "main" : isInit.restartPolicy === "Always" ? "sidecar" : "init",
  );
  const readyAt = beganAt + startedAfterMs + readyAfterMs;
  const isReadyShown = isReady && readyAt <= until && (isInit === undefined || isInit.restartPolicy === "Always");
  return [
    { at: beganAt, text: `${container} started` },
    ...(isReadyShown ? [{ at: readyAt, text: `${container} ready` }] : []),
    ...(run.exitCode === undefined ? [] : [{ at: until, text: `${container} exited with code ${run.exitCode}` }]),
  ];
}
