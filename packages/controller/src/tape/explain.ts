/**
 * Prints an explanation.
 *
 *     web/shop ran 3 times in the last 2m; it is done.
 *     14:03:12.120  run 7f#12, 34 ms, waited 2 ms: done
 *         because  Deployment web/shop was updated: spec.replicas 2 → 3, by kubectl-edit (version 4711)
 *         did      PATCH …/deployments/shop/status 200 (3 ms)
 */
import { formatDuration, formatTimeMillis, printGroupKind, splitObjectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { causeWords } from "./cause-words.ts";
import type { Narrator } from "./cause-words.ts";
import { durationText } from "./duration-text.ts";
import type { Obstacle } from "./obstacle.ts";
import { oneLine } from "./one-line.ts";
import type { CallRecord, CauseRecord, ResultRecord, RunRecord } from "./run-record.ts";
import type { Explanation, PendingRecord } from "./why.ts";

/** Returns lines for people: the state of the key, then its runs, newest last. Times are in UTC. */
export function explain(explanation: Explanation): readonly string[] {
  const { runs, runCount, pending, at, obstacles = [] } = explanation;
  const left = runCount - runs.length;
  return [
    headline(explanation),
    ...obstacles.flatMap(obstacleLines),
    ...(left === 0 ? [] : [`${left} earlier ${left === 1 ? "run is" : "runs are"} not shown.`]),
    ...runs.flatMap((run) => runLines(run, explanation, at)),
    ...(pending === undefined ? [] : pendingLines(pending, explanation)),
  ];
}

function headline({ key, kind, controller, runs, runCount, at, pending, obstacles }: Explanation): string {
  const who = `${kind === undefined ? "" : `${printGroupKind(kind)} `}${key}${controller === undefined ? "" : ` in ${controller}`}`;
  const last = runs.at(-1);
  const oldest = runs[0];
  const isWaiting = pending === undefined || pending.state === "idle" || pending.state === "parked" || pending.state === "waiting";
  const obstacle = isWaiting ? obstacles?.[0]?.state : undefined;
  const next = obstacle ?? (pending === undefined ? last && stateAfter(last, at) : pendingState(pending));
  const ran =
    last === undefined || oldest === undefined
      ? "has no run on the tape"
      : `ran ${runCount === 1 ? "once" : `${runCount} times`}${runCount === runs.length ? ` in the last ${durationText(Math.max(0, at - oldest.startedAt))}` : ""}`;
  return `${who} ${ran}${next === undefined ? "" : `; it ${next}`}.`;
}

const obstacleLines = ({ message, fix }: Obstacle): readonly string[] => [
  ...block("not run", [oneLine(message)]),
  ...(fix === undefined ? [] : block("fix", [oneLine(fix)])),
];

/** Returns the state in which the last run left the key, if the queue cannot tell. */
function stateAfter({ result, startedAt, tookMs = 0 }: RunRecord, at: number): string {
  if (result === undefined) return "is running";
  const inMs = (afterMs: number): string => `in ${durationText(Math.max(0, startedAt + tookMs + afterMs - at))}`;
  switch (result.type) {
    case "done":
      return "is done";
    case "after":
      return `runs again ${inMs(result.afterMs)}`;
    case "retry":
      return result.parked === true
        ? "is parked until its next event"
        : `failed and is retried${result.retryInMs === undefined ? "" : ` ${inMs(result.retryInMs)}`}`;
    case "stop":
      return "has stopped until its next event";
    case "abandoned":
    default:
      return "was abandoned in its last run";
  }
}

function pendingState({ state, again, nextRunInMs }: PendingRecord): string {
  const soon = nextRunInMs === undefined || nextRunInMs === 0 ? "" : ` in ${durationText(nextRunInMs)}`;
  switch (state) {
    case "running":
      return again === undefined ? "is running" : `is running and will run again${soon}`;
    case "ready":
      return "is about to run";
    case "waiting":
      return `runs again${soon}`;
    case "parked":
      return "is parked until its next event";
    case "idle":
    default:
      return "is done for now";
  }
}

function runLines(run: RunRecord, { key, controller }: Explanation, at: number): readonly string[] {
  const { causes, causeCount, calls, callCount } = run;
  const whose = [...(controller === undefined ? [run.controller] : []), ...(run.key === key ? [] : [run.key])];
  const facts = [
    `run ${run.run}${whose.length === 0 ? "" : ` of ${whose.join(" for ")}`}`,
    ...(run.tookMs === undefined ? [] : [durationText(run.tookMs)]),
    `waited ${durationText(run.waitedMs)}`,
  ];
  return [
    `${timeText(run.startedAt, at)}  ${facts.join(", ")}: ${run.result === undefined ? "still running" : resultWords(run.result)}`,
    ...block("because", causeLines(causes, causeCount, run)),
    ...block("did", [...calls.map((call) => callWords(call, run.key)), ...more(callCount - calls.length, "call")]),
  ];
}

function pendingLines(pending: PendingRecord, { controller = "", key }: Explanation): readonly string[] {
  const { causes, causeCount, attempts, reason } = pending;
  const facts = [
    ...(attempts === 0 ? [] : [`${attempts} ${attempts === 1 ? "retry" : "retries"} so far`]),
    ...(reason === undefined ? [] : [`the last failure: ${oneLine(reason)}`]),
  ];
  return [
    `next: it ${pendingState(pending)}${facts.length === 0 ? "" : `; ${facts.join("; ")}`}`,
    ...(causeCount === 0 ? [] : block("because", causeLines(causes, causeCount, { controller, key }))),
  ];
}

function causeLines(causes: readonly CauseRecord[], causeCount: number, narrator: Narrator): readonly string[] {
  const lines = [...causes.map((cause) => causeWords(cause, narrator)), ...more(causeCount - causes.length, "cause")];
  return lines.length === 0 ? ["unknown cause"] : lines;
}

const more = (count: number, what: string): readonly string[] =>
  count <= 0 ? [] : [`and ${count} more ${count === 1 ? what : `${what}s`} that ${count === 1 ? "was" : "were"} not kept`];

const titleWidth = "because".length;

/** Prefixes the lines with a title column. */
const block = (title: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, index) => `    ${(index === 0 ? title : "").padEnd(titleWidth)}  ${line}`);

/** Returns the time, with the date only if it differs from that of the question. */
function timeText(ms: number, at: number): string {
  const text = formatTimeMillis(ms);
  return text.slice(0, 10) === formatTimeMillis(at).slice(0, 10) ? text.slice(11, 23) : text;
}

function resultWords(result: ResultRecord): string {
  switch (result.type) {
    case "done":
      return "done";
    case "after":
      return `again in ${formatDuration(result.afterMs)}`;
    case "retry": {
      const next =
        result.parked === true ? ", parked" : result.retryInMs === undefined ? "" : `, again in ${durationText(result.retryInMs)}`;
      return `${result.isConflict ? "had a conflict" : "failed"}${next}: ${oneLine(result.error)}`;
    }
    case "stop":
      return `stopped: ${oneLine(result.reason)}`;
    case "abandoned":
    default:
      return `abandoned: ${oneLine(result.reason)}`;
  }
}

function callWords({ method, path, status, error, tookMs }: CallRecord, key: ObjectKey): string {
  const answer = status === undefined ? "without a response" : String(status);
  return `${method} ${shortPath(path, key)} ${answer}${error === undefined ? "" : `: ${oneLine(error)}`} (${durationText(tookMs)})`;
}

/** Returns the path without group and version, and without the namespace if it is that of the key. */
function shortPath(path: string, key: ObjectKey): string {
  const [, namespace, rest = path] = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?(\/.*)$/.exec(path) ?? [];
  if (rest === path) return path;
  return namespace === undefined || namespace === namespaceOf(key) ? `…${rest}` : `…/namespaces/${namespace}${rest}`;
}

function namespaceOf(key: ObjectKey): string {
  try {
    return splitObjectKey(key).namespace;
  } catch {
    // A key that is not namespace/name.
    return "";
  }
}
