/** Serves paths that are not resources: discovery, OpenAPI, health, version, metrics. */
import { prometheusContentType } from "@drover/machinery";
import type { HttpRequest, HttpResponse, RequestInfo, Runtime } from "@drover/machinery";
import { discoveryDocuments } from "../discovery/discovery-documents.ts";
import type { DiscoveryDocuments } from "../discovery/discovery-documents.ts";
import { discoveryResponse } from "../discovery/discovery-response.ts";
import type { ApiServerHost } from "../host.ts";
import { OpenApiDocuments } from "../openapi/openapi-documents.ts";
import { openApiResponse } from "../openapi/openapi-response.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import { healthResponse, refreshChecks } from "./health-response.ts";
import type { HealthCheck } from "./health-response.ts";
import { splitPath } from "../plain-request.ts";
import { issuerPaths, issuerResponse } from "./issuer-response.ts";
import type { IssuerMetadata } from "./issuer-response.ts";
import { rootResponse } from "./root-response.ts";
import { versionResponse } from "./version-response.ts";

export interface PathServerOptions {
  readonly runtime: Runtime;
  readonly registry: Registry;
  readonly host: ApiServerHost;
  readonly serverAddress: string;
  readonly tokens: IssuerMetadata;
  readonly checks: readonly HealthCheck[];
  /** The body of `/metrics`. */
  readonly metricsText: () => string;
}

/** Returns the handler of these paths; it returns undefined for an unknown path. */
export function pathServer({
  runtime,
  registry,
  host,
  serverAddress,
  tokens,
  checks,
  metricsText,
}: PathServerOptions): (request: HttpRequest, info: RequestInfo) => Promise<HttpResponse | undefined> | HttpResponse | undefined {
  const { sha256, sha512Hex, gzip, inflate, readData } = host;
  const openApi = new OpenApiDocuments({ readData, inflate, gzip, sha512Hex, now: () => runtime.clock.now() });
  let discovery: { readonly resources: readonly Resource[]; readonly documents: DiscoveryDocuments } | undefined;
  const documents = (): DiscoveryDocuments => {
    const { resources } = registry;
    if (discovery?.resources !== resources)
      discovery = { resources, documents: discoveryDocuments(resources, { serverAddress, sha256, sha512Hex }) };
    return discovery.documents;
  };
  const describe = async (request: HttpRequest): Promise<HttpResponse | undefined> => {
    if (request.path.startsWith("/openapi/v3")) await openApi.prepare(registry.resources, () => request.pause?.());
    // They may have changed meanwhile, and another request may have seen that.
    return openApiResponse(request, { documents: openApi, resources: registry.resources, now: runtime.clock.now() });
  };
  return (request) => {
    const [path, query] = splitPath(request.path);
    const isDiscovery = path === "/api" || path === "/apis" || path.startsWith("/api/") || path.startsWith("/apis/");
    if (isDiscovery) return discoveryResponse(request, documents());
    if (path.startsWith("/openapi/")) return describe(request);
    if (path === "/metrics")
      return { status: 200, headers: { "content-type": `${prometheusContentType}; escaping=underscores` }, body: metricsText() };
    const refreshed = refreshChecks(path, query, checks);
    if (refreshed !== undefined) return refreshed.then(() => healthResponse(path, query, checks));
    return (
      versionResponse(request) ??
      issuerResponse(request, path, { tokens, serverAddress }) ??
      healthResponse(path, query, checks) ??
      rootResponse(path, { resources: registry.resources, checks, otherPaths: ["/metrics", ...issuerPaths] })
    );
  };
}
