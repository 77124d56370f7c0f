/** /: the paths there are. */
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
  /** What else the server answers: "/metrics". */
  readonly otherPaths: readonly string[];
}

const healthEndpoints: readonly HealthEndpoint[] = ["healthz", "livez", "readyz"];

/** The path is without its query. Undefined when it is another. */
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
