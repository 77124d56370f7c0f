/**
 * Health, readiness and metrics as one pure handler; a listener puts it behind a port.
 *
 *     kubelet, Prometheus → Listen → createProbeHandler → checks, prometheusText
 */
import { prometheusContentType, prometheusText } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, Log, MetricsRegistry, Transport } from "@drover/machinery";
import { failureOf, logFailures, printOutcomes, runChecks } from "./health-check.ts";
import type { HealthCheck, HealthChecks } from "./health-check.ts";

export interface ProbeHandlerOptions {
  /** Behind /healthz and /livez: whether the process should be restarted. @default there is no such path */
  readonly health?: HealthChecks;
  /** Behind /readyz: whether it does its work. @default there is no such path */
  readonly ready?: HealthChecks;
  /** Behind /metrics. @default there is no such path */
  readonly metrics?: MetricsRegistry;
  /** What else is served, by path: "/debug/why". Each gets every method, and the query, of its path. @default nothing */
  readonly handlers?: Readonly<Record<string, Transport>>;
  /** Is told why a check failed, which the answer withholds. */
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
 * Answers GET and HEAD for the paths it has, `…/name` for one check, `?verbose` and `?exclude=name` for all of them; everything else is not
 * found. A check that throws is an answer; it rejects only with what one of `handlers` does. Throws for a handler whose path is not free.
 */
export function createProbeHandler({ health, ready, metrics, handlers = {}, log }: ProbeHandlerOptions): Transport {
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
        `a handler cannot be served at ${path}: a path begins with "/", and /healthz, /livez, /readyz and /metrics are taken`,
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
        ? metricsPage(metrics)
        : await (rest.length === 0 ? allChecks(group, { query, request, root, log }) : oneCheck(group, rest.join("/"), request));
    return request.method === "HEAD" ? { ...answer, body: "" } : answer;
  };
}

function metricsPage(metrics: MetricsRegistry | undefined): HttpResponse {
  return metrics === undefined
    ? notFound()
    : { status: 200, headers: { "content-type": prometheusContentType }, body: prometheusText(metrics) };
}

/** The path in its parts, decoded, without empty ones. */
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
  return failure === undefined
    ? text(200, "ok")
    : text(500, `internal server error: ${failure.error instanceof Error ? failure.error.message : String(failure.error)}\n`);
}

const signalOf = ({ signal = new AbortController().signal }: HttpRequest): AbortSignal => signal;
