/** /: the list of paths. */
import { compareBytes } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { servedGroups } from "../discovery/served-groups.ts";
import type { DiscoverableResource } from "../discovery/served-groups.ts";
import { indentJson } from "../negotiation/indent-json.ts";
import { checksAt } from "./health-response.ts";
import type { HealthCheck, HealthEndpoint } from "./health-response.ts";
import { uncached } from "../negotiation/object-response.ts";

export interface RootOptions {
  readonly resources: readonly DiscoverableResource[];
  readonly checks: readonly HealthCheck[];
  /** Additional paths to list: "/metrics". */
  readonly otherPaths: readonly string[];
}

const healthEndpoints: readonly HealthEndpoint[] = ["healthz", "livez", "readyz"];

/** Returns the response for a path without its query; undefined for other paths. */
export function rootResponse(path: string, options: RootOptions): HttpResponse | undefined {
  if (path !== "/" && path !== "/index.html") return undefined;
  return {
    status: 200,
    headers: { ...uncached, "content-type": "application/json" },
    body: indentJson(JSON.stringify({ paths: rootPaths(options) })),
  };
}

function rootPaths({ resources, checks, otherPaths }: RootOptions): string[] {
  const ofGroups = servedGroups(resources).flatMap(({ name, versions }) => {
    const root = name === "" ? "/api" : `/apis/${name}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  const ofHealth = healthEndpoints.flatMap((endpoint) => [
    `/${endpoint}`,
    ...checksAt(endpoint, checks).map(({ name }) => `/${endpoint}/${name}`),
  ]);
  return [
    ...new Set([
      ...ofGroups,
      ...ofHealth,
      ...otherPaths,
      "/api",
      "/apis",
      "/apis/",
      "/openapi/v2",
      "/openapi/v3",
      "/openapi/v3/",
      "/version",
    ]),
  ].toSorted(compareBytes);
}
