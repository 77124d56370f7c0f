/** /healthz, /livez, /readyz and their individual checks. */
import { compareBytes, quoteGo } from "@drover/machinery";
import type { HttpResponse, Query } from "@drover/machinery";
import { notFoundPage, textResponse, uncached } from "../negotiation/object-response.ts";

export type HealthEndpoint = "healthz" | "livez" | "readyz";

export interface HealthCheck {
  /** "ping", "poststarthook/rbac/bootstrap-roles". */
  readonly name: string;
  /** Returns the failure; undefined while healthy. Only requests for this one check show it. */
  readonly failure: () => string | undefined;
  /** Finds out what `failure` returns. @default it knows */
  readonly refresh?: () => Promise<void>;
  /** Endpoints that include the check. @default all three */
  readonly endpoints?: readonly HealthEndpoint[];
}

const endpoints: ReadonlySet<string> = new Set<HealthEndpoint>(["healthz", "livez", "readyz"]);
const isEndpoint = (name: string): name is HealthEndpoint => endpoints.has(name);

/** Returns the checks of an endpoint, in order. */
export function checksAt(endpoint: HealthEndpoint, checks: readonly HealthCheck[]): readonly HealthCheck[] {
  return checks.filter((check) => check.endpoints?.includes(endpoint) ?? true);
}

/** Returns the response for a path without its query; undefined for other paths. */
export function healthResponse(path: string, query: Query, checks: readonly HealthCheck[]): HttpResponse | undefined {
  const [, endpoint = "", ...rest] = path.split("/");
  if (!isEndpoint(endpoint)) return undefined;
  const own = checksAt(endpoint, checks);
  if (rest.length === 0) return overallResponse(endpoint, query, own);
  const check = own.find(({ name }) => name === rest.join("/"));
  return check === undefined ? notFoundPage() : singleResponse(check);
}

/** Refreshes the checks that `healthResponse` would make; undefined if none of them needs it. */
export function refreshChecks(path: string, query: Query, checks: readonly HealthCheck[]): Promise<unknown> | undefined {
  const [, endpoint = "", ...rest] = path.split("/");
  if (!isEndpoint(endpoint)) return undefined;
  const excluded = new Set(query.get("exclude"));
  const asked = checksAt(endpoint, checks).filter(({ name }) => (rest.length === 0 ? !excluded.has(name) : name === rest.join("/")));
  const refreshing = asked.flatMap(({ refresh }) => (refresh === undefined ? [] : [refresh()]));
  return refreshing.length === 0 ? undefined : Promise.all(refreshing);
}

function singleResponse(check: HealthCheck): HttpResponse {
  const failure = check.failure();
  if (failure !== undefined) return textResponse(500, `internal server error: ${failure}\n`);
  return { status: 200, headers: { ...uncached, "content-type": "text/plain; charset=utf-8" }, body: "ok" };
}

/** "ok"; one line per check on request or on failure. */
function overallResponse(endpoint: HealthEndpoint, query: Query, checks: readonly HealthCheck[]): HttpResponse {
  const excluded = new Set(query.get("exclude"));
  const results = checks.map(({ name, failure }) => ({
    name,
    isExcluded: excluded.has(name),
    hasFailed: !excluded.has(name) && failure() !== undefined,
  }));
  const lines = results.map(({ name, isExcluded, hasFailed }) =>
    hasFailed ? `[-]${name} failed: reason withheld\n` : `[+]${name} ${isExcluded ? "excluded: " : ""}ok\n`,
  );
  const unknown = [...excluded].filter((name) => checks.every((check) => check.name !== name)).toSorted(compareBytes);
  const warning =
    unknown.length === 0 ? "" : `warn: some health checks cannot be excluded: no matches for ${unknown.map(quoteGo).join(",")}\n`;
  if (results.some(({ hasFailed }) => hasFailed)) return textResponse(500, `${lines.join("")}${warning}${endpoint} check failed\n`);
  return textResponse(200, query.has("verbose") ? `${lines.join("")}${warning}${endpoint} check passed\n` : "ok");
}
