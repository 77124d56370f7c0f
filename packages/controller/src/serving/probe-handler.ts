/**
 * Serves health, readiness and metrics as one request handler without sockets.
 *
 *     kubelet, Prometheus → Listen → createProbeHandler → checks, prometheusText
 */
import { errorText, prometheusContentType, prometheusText } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, Log, MetricsRegistry, Transport } from "@drover/machinery";
import { failureOf, logFailures, printOutcomes, runChecks } from "./health-check.ts";
import type { HealthCheck, HealthChecks } from "./health-check.ts";
import { mergeMetrics } from "./merge-metrics.ts";

/** Options of `createProbeHandler`. */
export interface ProbeHandlerOptions {
  /** Checks behind /healthz and /livez: whether the process should be restarted. @default the paths answer 404 */
  readonly health?: HealthChecks;
  /** Checks behind /readyz: whether the program does its work. @default the path answers 404 */
  readonly ready?: HealthChecks;
  /** Metrics behind /metrics. @default the path answers 404 */
  readonly metrics?: MetricsRegistry;
  /** Returns the metrics of the program's threads, as text by the number of the thread. @default no threads */
  readonly threadMetrics?: () => Promise<ReadonlyMap<string, string>>;
  /** Further handlers by path, such as "/debug/why". Each receives all methods and queries of its path. @default none */
  readonly handlers?: Readonly<Record<string, Transport>>;
  /** Receives the reasons of failed checks, which the response withholds. */
  readonly log: Log;
}

const textHeaders: HttpHeaders = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

const text = (status: number, body: string, headers: HttpHeaders = {}): HttpResponse => ({
  status,
  headers: { ...textHeaders, ...headers },
  body,
});
const notFound = (): HttpResponse => text(404, "404 page not found\n");

/**
 * Answers GET and HEAD: `…/name` for one check, `?verbose` and `?exclude=name` for all; 404 for unknown paths. A failing check gives a
 * response; only errors of `handlers` reject. Throws if the path of a handler is already taken.
 */
export function createProbeHandler({ health, ready, metrics, threadMetrics, handlers = {}, log }: ProbeHandlerOptions): Transport {
  const checks: ReadonlyMap<string, HealthChecks | undefined> = new Map([
    ["healthz", health],
    ["livez", health],
    ["readyz", ready],
  ]);
  const others = new Map(Object.entries(handlers));
  for (const path of others.keys()) {
    const [, root = ""] = path.split("/");
    if (!path.startsWith("/") || checks.has(root) || root === "metrics")
      throw new TypeError(
        `cannot serve a handler at ${path}: the path must start with "/", and /healthz, /livez, /readyz and /metrics are taken`,
      );
  }
  return async (request) => {
    const other = others.get(request.path.split("?")[0] ?? "");
    if (other !== undefined) return other(request);
    const { path, query } = targetOf(request);
    const [root = "", ...rest] = path;
    const [group, isMetrics] = [checks.get(root), root === "metrics" && rest.length === 0 && metrics !== undefined];
    if (group === undefined && !isMetrics) return notFound();
    if (request.method !== "GET" && request.method !== "HEAD") return text(405, "Method Not Allowed\n", { allow: "GET, HEAD" });
    const answer =
      group === undefined
        ? await metricsPage(metrics, threadMetrics)
        : await (rest.length === 0 ? allChecks(group, { query, request, root, log }) : oneCheck(group, rest.join("/"), request));
    return request.method === "HEAD" ? { ...answer, body: "" } : answer;
  };
}

async function metricsPage(
  metrics: MetricsRegistry | undefined,
  threadMetrics: ProbeHandlerOptions["threadMetrics"],
): Promise<HttpResponse> {
  if (metrics === undefined) return notFound();
  const own = prometheusText(metrics);
  const body = threadMetrics === undefined ? own : mergeMetrics(own, await threadMetrics());
  return { status: 200, headers: { "content-type": prometheusContentType }, body };
}

/** Returns the decoded segments of the path, without empty ones. */
function targetOf({ path }: HttpRequest): { readonly path: readonly string[]; readonly query: URLSearchParams } {
  const [before = "", ...query] = path.split("?");
  return {
    path: before
      .split("/")
      .filter((part) => part !== "")
      .map(decoded),
    query: new URLSearchParams(query.join("?")),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface Asked {
  readonly query: URLSearchParams;
  readonly request: HttpRequest;
  readonly root: string;
  readonly log: Log;
}

async function allChecks(checks: HealthChecks, { query, request, root, log }: Asked): Promise<HttpResponse> {
  const exclude = new Set(query.getAll("exclude"));
  const outcomes = await runChecks(checks, { exclude, signal: signalOf(request) });
  logFailures(outcomes, log, `/${root}`);
  const hasFailed = outcomes.some(({ result }) => result === "failed");
  if (!hasFailed && !query.has("verbose")) return text(200, "ok");
  const names = new Set(outcomes.map(({ name }) => name));
  return text(
    hasFailed ? 500 : 200,
    printOutcomes(
      outcomes,
      [...exclude].filter((name) => !names.has(name)),
    ),
  );
}

const ping: HealthCheck = () => undefined;

async function oneCheck(checks: HealthChecks, name: string, request: HttpRequest): Promise<HttpResponse> {
  const check = checks.get(name) ?? (checks.size === 0 && name === "ping" ? ping : undefined);
  if (check === undefined) return notFound();
  const failure = await failureOf(check, signalOf(request));
  return failure === undefined ? text(200, "ok") : text(500, `internal server error: ${errorText(failure.error)}\n`);
}

const signalOf = ({ signal = new AbortController().signal }: HttpRequest): AbortSignal => signal;
