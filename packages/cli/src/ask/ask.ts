/**
 * `drover status`, `why`, `queue`, `requests`, `trace`, `tree`, `top`, `plan` and `diff`: ask an operator on this machine or in a pod.
 *
 *     AskOptions → withOperator → debug endpoint → lines, exit code
 */
import type { DebugQueue, DebugRequests, DebugStatus, DebugTree, DebugWhy } from "@drover/controller";
import { jsonLine, lines } from "../terminal-text.ts";
import { queueText, requestsText, statusText, treeText } from "./answer-text.ts";
import { askEndpoint, openStream } from "./ask-endpoint.ts";
import type { AskOptions, Question } from "./ask-options.ts";
import { nameParameters } from "./asked-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { withOperator } from "./reach-operator.ts";
import type { AskPlace } from "./reach-operator.ts";
import { wrapped } from "./text-table.ts";
import { plan } from "./plan.ts";
import { top } from "./top.ts";
import { traceLines } from "./trace-lines.ts";

/** Questions about what is reconciled, which only the leader knows; any replica can show its status and its caches. */
const ofLeader: ReadonlySet<Question> = new Set<Question>(["queue", "requests", "trace", "top"]);

/**
 * Resolves with the exit code: 0 if the question was answered, 1 if the object does not exist, 2 if several operators run and none was
 * chosen, 3 if no operator was found. Rejects with a `CommandError` if the operator does not answer.
 */
export function ask(options: AskOptions, place: AskPlace): Promise<number> {
  return withOperator(options, ofLeader.has(options.question) ? "leader" : "any", place, (endpoint) => answered(options, endpoint, place));
}

async function answered(options: AskOptions, endpoint: Endpoint, place: AskPlace): Promise<number> {
  const { question, json } = options;
  const { write, signal } = place;
  if (question === "top") return top(endpoint, options, place);
  if (question === "plan" || question === "diff") return plan(endpoint, options, place);
  const print = (text: readonly string[]): void => write(text.map((line) => `${line}\n`).join(""));
  const path = pathOf(options);
  if (question === "trace") {
    for await (const line of traceLines(await openStream(endpoint, path, signal), json ? "json" : "text")) print([line]);
    return 0;
  }
  const answer = await askEndpoint(endpoint, path, signal);
  print(json ? [jsonLine(answer)] : textOf(question, answer));
  return question === "why" && isUnknown(answer as DebugWhy) ? 1 : 0;
}

function pathOf({ question, object, controller, limit, failed, follow }: AskOptions): string {
  const query = new URLSearchParams(object === undefined ? [] : nameParameters(object));
  if (controller !== undefined) query.set("controller", controller);
  if (limit !== undefined) query.set(question === "why" ? "runs" : "limit", String(limit));
  if (failed) query.set("verdict", "problem");
  if (question === "trace" && !follow) query.set("follow", "false");
  const text = query.toString();
  return `/debug/drover/${question === "trace" ? "tape" : question}${text === "" ? "" : `?${text}`}`;
}

function textOf(question: AskOptions["question"], answer: unknown): readonly string[] {
  switch (question) {
    case "status":
      return statusText(answer as DebugStatus);
    case "queue":
      return queueText(answer as DebugQueue);
    case "requests":
      return requestsText(answer as DebugRequests);
    case "tree":
      return treeText(answer as DebugTree);
    case "trace":
    case "top":
    case "plan":
    case "diff":
    case "why":
    default:
      return (answer as DebugWhy).text.flatMap((line) => wrapped(lines(line)));
  }
}

/** Neither the cache nor the tape has the object. */
const isUnknown = ({ explanations }: DebugWhy): boolean =>
  explanations.every(({ runCount, obstacles = [] }) => runCount === 0 && obstacles.some(({ reason }) => reason === "NotFound"));
