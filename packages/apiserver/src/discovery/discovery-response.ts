/** Serves /api, /apis and the group versions below them. Paths of resources are not discovery. */
import { negotiate } from "@drover/machinery";
import type { HttpResponse, JsonObject, Representation } from "@drover/machinery";
import { documentForms, notFoundPage, notFoundStatus, objectResponse, refusedByRoute, uncached } from "../negotiation/object-response.ts";
import { headerText, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import type { AggregatedDiscovery, DiscoveredVersion, DiscoveryDocuments } from "./discovery-documents.ts";
import { discoveryMessage } from "./discovery-message.ts";

/** Returns the response; undefined for paths outside discovery. */
export function discoveryResponse(request: PlainRequest, documents: DiscoveryDocuments): HttpResponse | undefined {
  const [root, group, version, ...rest] = splitPath(request.path)[0].split("/").slice(1);
  if (rest.some((part) => part !== "")) return undefined;
  if (root === "api") return withoutBodyOfHead(request, isBlank(version) ? coreResponse(request, group ?? "", documents) : undefined);
  return root === "apis" ? withoutBodyOfHead(request, groupResponse(request, group ?? "", version ?? "", documents)) : undefined;
}

const isBlank = (part: string | undefined): boolean => part === undefined || part === "";

function withoutBodyOfHead({ method }: PlainRequest, response: HttpResponse | undefined): HttpResponse | undefined {
  return response === undefined || method !== "HEAD" ? response : { ...response, body: "" };
}

function coreResponse(request: PlainRequest, version: string, { api, core }: DiscoveryDocuments): HttpResponse {
  if (version === "") return refusedByRoute(request) ?? rootResponse(request, api.legacy, api.aggregated);
  const found = core.versions.get(version);
  return found === undefined ? notFoundStatus(request) : versionResponse(request, found);
}

function groupResponse(request: PlainRequest, name: string, version: string, { apis, groups }: DiscoveryDocuments): HttpResponse {
  if (name === "") return version === "" ? rootResponse(request, apis.legacy, apis.aggregated) : notFoundPage();
  const group = groups.get(name);
  if (group === undefined) return notFoundPage();
  if (version === "") return objectResponse(request, group.document, { encode: discoveryMessage });
  const found = group.versions.get(version);
  if (found !== undefined) return versionResponse(request, found);
  return group.isBuiltIn ? notFoundStatus(request) : notFoundPage();
}

/** Built-in versions accept only GET and list their media types; those of custom resources accept any method. */
function versionResponse(request: PlainRequest, { document, isBuiltIn }: DiscoveredVersion): HttpResponse {
  return (isBuiltIn ? refusedByRoute(request) : undefined) ?? objectResponse(request, document, { encode: discoveryMessage });
}

/** Returns the aggregated document if any Accept clause asks for it, whatever its quality. */
function rootResponse(request: PlainRequest, legacy: JsonObject, { tag, versions }: AggregatedDiscovery): HttpResponse {
  const isAggregated = (convert: Representation["convert"]): boolean =>
    convert !== undefined &&
    convert.group === "apidiscovery.k8s.io" &&
    convert.kind === "APIGroupDiscoveryList" &&
    versions.has(convert.version);
  const wanted = negotiate(headerText(request, "accept"), documentForms, isAggregated)?.convert;
  const document = wanted === undefined ? undefined : versions.get(wanted.version);
  if (wanted === undefined || document === undefined) return objectResponse(request, legacy, { encode: discoveryMessage });
  const headers = { ...uncached, "cache-control": "public", etag: tag, vary: "Accept" };
  if (headerText(request, "if-none-match") === tag) return { status: 304, headers, body: "" };
  const contentType = (mediaType: string): string => `${mediaType};g=${wanted.group};v=${wanted.version};as=${wanted.kind}`;
  return objectResponse(request, document, { allowsConversion: isAggregated, contentType, headers, encode: discoveryMessage });
}
