/**
 * Answers questions about a running program, without sockets. Nothing is changed, except that one page enqueues keys.
 *
 *     GET /debug/drover/status | queue | why | requests | topology | tree | plan | tape → createDebugHandler → JSON, text, events
 *     POST /debug/drover/reconcile → createDebugHandler → reconcilePage
 */
import { budget, sameGroupKind } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { askedObject } from "./asked-object.ts";
import { DebugProblem, isDebugProblem } from "./debug-problem.ts";
import type { DebugSubject } from "./debug-subject.ts";
import { refusalOf } from "./loopback-host.ts";
import { planPage } from "./plan-page.ts";
import { queuePage } from "./queue-page.ts";
import { reconcilePage } from "./reconcile-page.ts";
import { requestsPage } from "./requests-page.ts";
import { statusPage } from "./status-page.ts";
import { tapeEvents } from "./tape-stream.ts";
import { topologyPage } from "./topology-page.ts";
import { treePage } from "./tree-page.ts";
import { whyPage } from "./why-page.ts";

const streamsMax = budget({
  name: "controller/debug-streams",
  limit: 8,
  unit: "items",
  atLimit: "further requests for /debug/drover/tape are answered with 503",
  uncounted: "The caller gets an answer that says so.",
});

const plansMax = budget({
  name: "controller/debug-plans",
  limit: 1,
  unit: "items",
  atLimit: "further requests for /debug/drover/plan are answered with 503 until the open one is answered",
  uncounted: "The caller gets an answer that says so.",
});

const root = "/debug/drover/";

type Page = (subject: DebugSubject, query: URLSearchParams) => unknown;

const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ["status", statusPage],
  ["queue", (subject, query) => queuePage(subject, query, count(query, "limit", 200, 2000))],
  ["why", (subject, query) => whyPage(subject, query, count(query, "runs", 10, 1000))],
  ["requests", (subject, query) => requestsPage(subject, query, count(query, "limit", 100, 5000))],
  ["topology", topologyPage],
  ["tree", treePage],
]);

const parameters: Readonly<Record<string, readonly string[]>> = {
  status: [],
  queue: ["controller", "limit"],
  why: ["controller", "kind", "namespace", "name", "runs", "format"],
  requests: ["limit", "verdict"],
  topology: [],
  tree: ["kind", "namespace", "name"],
  tape: ["controller", "kind", "namespace", "name", "cursor", "follow"],
  plan: ["controller", "kind", "namespace", "name", "limit", "skip"],
  reconcile: ["controller", "kind", "namespace", "name", "all"],
};
/** What is open or has happened. */
interface HandlerState {
  streams: number;
  plans: number;
  /** Number of reconciles that were asked for. */
  reconciles: number;
}

/**
 * Returns a handler for requests below /debug/drover/. Refuses requests whose Host header is not a loopback name, and requests of web
 * pages. Answers have no CORS headers. Values of Secrets, and values with a secret-looking name, are never shown. POST needs the header
 * `drover-request: reconcile`, which a page of another site cannot send without a preflight, and none is answered.
 */
export function createDebugHandler(subject: DebugSubject): Transport {
  const state: HandlerState = { streams: 0, plans: 0, reconciles: 0 };
  // Rejections are answers too; the function is async so that a page that throws rejects.
  return async (request) => {
    try {
      return await answer(subject, request, state);
    } catch (error) {
      if (!isDebugProblem(error)) throw error;
      return json(error.status, { error: error.message, fix: error.fix }, error.status === 405 ? methodOf(request.path) : undefined);
    }
  };
}

function answer(subject: DebugSubject, request: HttpRequest, state: HandlerState): HttpResponse | Promise<HttpResponse> {
  const refusal = refusalOf(request.headers);
  if (refusal !== undefined) throw new DebugProblem(403, refusal, "curl http://127.0.0.1:PORT/debug/drover/status");
  const method = methodOf(request.path);
  if (request.method !== method)
    throw new DebugProblem(405, method === "GET" ? "this page is read-only" : "this page only enqueues, which is no question", method);
  const [path = "", ...rest] = request.path.split("?");
  const query = new URLSearchParams(rest.join("?"));
  const name = path.startsWith(root) ? path.slice(root.length) : "";
  const known = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (known === undefined)
    throw new DebugProblem(
      404,
      "there is no such page",
      `one of ${Object.keys(parameters)
        .map((page) => root + page)
        .join(", ")}`,
    );
  const odd = [...query.keys()].find((key) => !known.includes(key));
  if (odd !== undefined)
    throw new DebugProblem(
      400,
      `${root}${name} has no parameter ${JSON.stringify(odd.slice(0, 100))}`,
      known.length === 0 ? "no parameters" : `it has ${known.join(", ")}`,
    );
  if (subject.threads !== undefined && name !== "status")
    throw new DebugProblem(
      501,
      `reconciles run in ${subject.threads} threads, whose queues, caches and runs cannot be asked for`,
      "drover status, or run the operator without threads",
    );
  if (name === "plan") return planned(subject, request, query, state);
  if (name === "tape") return stream(subject, request, query, state);
  if (name === "reconcile") {
    if (request.headers["drover-request"] !== "reconcile")
      throw new DebugProblem(
        403,
        "the header drover-request: reconcile is missing, without which a web page could send this",
        "drover reconcile",
      );
    return json(200, reconcilePage(subject, query, ++state.reconciles));
  }
  const page = pages.get(name)?.(subject, query);
  if (name === "why" && (query.get("format") ?? "json") === "text") return plain((page as ReturnType<typeof whyPage>).text);
  return json(200, page);
}

async function planned(subject: DebugSubject, { signal }: HttpRequest, query: URLSearchParams, state: HandlerState): Promise<HttpResponse> {
  if (state.plans >= plansMax.limit) throw new DebugProblem(503, "another plan is being made", "wait until it has ended");
  state.plans++;
  try {
    const part = { limit: count(query, "limit", 100, 1000), skip: count(query, "skip", 0, Number.MAX_SAFE_INTEGER, 0) };
    return json(200, await planPage(subject, query, { ...part, signal: signal ?? new AbortController().signal }));
  } finally {
    state.plans--;
  }
}

function stream(subject: DebugSubject, { headers, signal }: HttpRequest, query: URLSearchParams, state: HandlerState): HttpResponse {
  const { tape, clock } = subject;
  if (tape === undefined) throw new DebugProblem(404, "the tape is off", "run the operator without tape: false");
  if (state.streams >= streamsMax.limit)
    throw new DebugProblem(503, `${streamsMax.limit} readers of the tape are connected, which is the most`, "end one of them");
  const last = headers["last-event-id"];
  const after = typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : count(query, "cursor", 0, Number.MAX_SAFE_INTEGER, 0);
  const ending = signal ?? new AbortController().signal;
  const events = tapeEvents({
    tape,
    clock,
    after,
    follow: query.get("follow") !== "false",
    filter: filterOf(subject, query),
    signal: ending,
  });
  return {
    status: 200,
    headers: { ...common, "content-type": "text/event-stream" },
    body: counted(events, state),
  };
}

/** Counts the stream while it is read. */
async function* counted(events: AsyncGenerator<string>, state: HandlerState): AsyncGenerator<string> {
  state.streams++;
  try {
    yield* events;
  } finally {
    state.streams--;
  }
}

function filterOf(subject: DebugSubject, query: URLSearchParams): Parameters<typeof tapeEvents>[0]["filter"] {
  const controller = query.get("controller");
  const named = controller === null ? {} : { controller };
  if (query.get("name") === null && query.get("kind") === null) return named;
  const { kind, key, controllers } = askedObject(subject, query);
  const [only] = controllers;
  // The runs of its own controller; for other kinds, the runs that it caused.
  return only?.kind !== undefined && sameGroupKind(only.kind, kind)
    ? { key, controller: only.controller.name }
    : { ...named, key, kind: { group: kind.group, kind: kind.kind } };
}

function count(query: URLSearchParams, name: string, preset: number, max: number, least = 1): number {
  const text = query.get(name);
  if (text === null) return preset;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= max))
    throw new DebugProblem(400, `${name} is ${JSON.stringify(text.slice(0, 40))}`, `a whole number from ${least} to ${max}`);
  return value;
}

const common: HttpHeaders = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
};

const methodOf = (path: string): "GET" | "POST" => (path.split("?", 1)[0] === `${root}reconcile` ? "POST" : "GET");

const json = (status: number, value: unknown, allow?: string): HttpResponse => ({
  status,
  headers: { ...common, "content-type": "application/json", ...(allow === undefined ? {} : { allow }) },
  body: `${JSON.stringify(value)}\n`,
});

const plain = (lines: readonly string[]): HttpResponse => ({
  status: 200,
  headers: { ...common, "content-type": "text/plain; charset=utf-8" },
  body: `${lines.join("\n")}\n`,
});
