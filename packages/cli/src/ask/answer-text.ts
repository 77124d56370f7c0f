/**
 * Prints the answers of a debug endpoint for people, in 80 columns.
 *
 *     DebugStatus, DebugQueue, DebugRequests, DebugTree → lines
 */
import type { DebugQueue, DebugRequests, DebugStatus, DebugTree, ObjectTree } from "@drover/controller";
import { formatTimeMillis, humanDuration } from "@drover/machinery";
import { oneLine } from "../terminal-text.ts";
import { middleCut, textTable, wrapped } from "./text-table.ts";

/** Returns what an operator is, and its problems. */
export function statusHead(status: DebugStatus): readonly string[] {
  const { name, version, pid, startedAt, at, phase, election, shards, problems, tape, threads } = status;
  const lease =
    election === undefined
      ? []
      : [
          election.isLeader
            ? `leader of ${election.lease}`
            : `not the leader: ${election.leader === "" ? "no replica" : election.leader} holds ${election.lease}`,
        ];
  const parts = shards === undefined ? [] : [`${shards.held.length} shards of ${shards.layout}, ${shards.members.length} replicas`];
  const facts = [
    `${phase} for ${humanDuration(at - startedAt)}`,
    `pid ${pid}`,
    ...lease,
    ...parts,
    ...(threads === undefined ? [] : [`reconciles in ${threads} threads`]),
    ...(tape === "off" && threads === undefined ? ["tape off"] : []),
  ];
  return [
    ...wrapped(oneLine(`${name} (drover ${version}): ${facts.join(", ")}`)),
    ...problems.flatMap((problem) => wrapped(`  problem  ${oneLine(problem)}`)),
  ];
}

/** Returns the state of an operator: itself, its problems, controllers and caches. */
export function statusText(status: DebugStatus): readonly string[] {
  const { controllers, caches } = status;
  return [
    ...statusHead(status),
    "",
    ...textTable(
      [
        { title: "CONTROLLER" },
        { title: "PHASE" },
        ...["RUNNING", "QUEUED", "WAITING", "FAILING", "PARKED"].map((title) => ({ title, align: "right" as const })),
      ],
      controllers.map((each) => [
        each.name,
        each.phase,
        ...[each.running, each.queued, each.waiting, each.failing, each.parked].map(String),
      ]),
    ),
    ...controllers.flatMap((each) => each.waitingFor.flatMap((what) => wrapped(`  ${each.name} waits for ${oneLine(what)}`))),
    "",
    ...textTable(
      [
        { title: "CACHE" },
        { title: "PHASE" },
        { title: "SYNCED" },
        { title: "OBJECTS", align: "right" },
        { title: "HEARD", align: "right" },
      ],
      caches.map((cache) => [
        cache.name,
        cache.phase,
        cache.synced ? "yes" : "no",
        String(cache.objects),
        cache.heardMsAgo === undefined ? "never" : `${humanDuration(cache.heardMsAgo)} ago`,
      ]),
    ),
  ];
}

/** Returns the keys of the queues, each with its failure and causes. */
export function queueText({ keys, leftOff }: DebugQueue): readonly string[] {
  if (keys.length === 0) return ["No key is running, ready, waiting or parked."];
  const table = textTable(
    [{ title: "KEY" }, { title: "CONTROLLER" }, { title: "STATE" }, { title: "DUE", align: "right" }, { title: "RETRIES", align: "right" }],
    keys.map(({ key, controller, state, dueInMs, attempts }) => [
      key,
      controller,
      state,
      dueInMs === undefined || state === "ready" ? "" : delay(dueInMs),
      String(attempts),
    ]),
  );
  const [head = "", ...rows] = table;
  return [
    head,
    ...rows.flatMap((row, index) => {
      const { error, because = [], causeCount = 0 } = keys[index] ?? {};
      const more = causeCount - because.length;
      return [
        row,
        ...(error === undefined ? [] : wrapped(`    failed   ${oneLine(error)}`)),
        ...because.flatMap((cause) => wrapped(`    because  ${oneLine(cause)}`)),
        ...(more > 0 ? [`    and ${more} more causes`] : []),
      ];
    }),
    ...leftOffText(leftOff, "key"),
  ];
}

/** Returns the requests of runs, oldest first. */
export function requestsText({ requests, leftOff }: DebugRequests): readonly string[] {
  if (requests.length === 0) return ["No run has sent such a request, as far as the tape reaches back."];
  return [
    ...leftOffText(leftOff, "request"),
    ...requests.flatMap(({ at, method, path, status, verdict, tookMs, controller, key, error }) => {
      const took = `${Math.round(tookMs)} ms`;
      const head = `${formatTimeMillis(at).slice(11, 23)}  ${(status === undefined ? verdict : `${status} ${verdict}`).padEnd(16)}  `;
      return [
        `${head}${middleCut(oneLine(`${method} ${path}`), 80 - head.length)}`,
        ...wrapped(`    for      ${controller} ${oneLine(key)}, ${took}`),
        ...(error === undefined ? [] : wrapped(`    error    ${oneLine(error)}`)),
      ];
    }),
  ];
}

/** Returns the tree, one object per line. */
export function treeText({ tree, kinds, leftOff }: DebugTree): readonly string[] {
  return [
    ...branch(tree, "", ""),
    ...leftOffText(leftOff, "object"),
    ...wrapped(`Shown are objects of the kinds that the operator watches: ${kinds.map(oneLine).join(", ")}.`),
  ];
}

function branch(node: ObjectTree, first: string, further: string): readonly string[] {
  const { kind, key, ageMs, deleting, condition, children } = node;
  const facts = [
    ...(condition === undefined
      ? []
      : [`${condition.type}=${condition.status}${condition.status === "True" || condition.reason === "" ? "" : ` ${condition.reason}`}`]),
    ...(deleting === undefined ? [] : [deleting.length === 0 ? "is being deleted" : `is being deleted, kept by ${deleting.join(", ")}`]),
    ...(ageMs === undefined ? [] : [humanDuration(ageMs)]),
  ].join(", ");
  const line = `${first}${kind}/${oneLine(key)}`;
  const whole = facts === "" ? line : `${line}  ${oneLine(facts)}`;
  return [
    ...(whole.length <= 80 ? [whole] : [middleCut(line, 80), ...wrapped(`${further}    ${oneLine(facts)}`)]),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return branch(child, `${further}${isLast ? "└─ " : "├─ "}`, `${further}${isLast ? "   " : "│  "}`);
    }),
  ];
}

const leftOffText = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} more ${what}${count === 1 ? "" : "s"} not shown; see --limit`];

const delay = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : humanDuration(ms));
