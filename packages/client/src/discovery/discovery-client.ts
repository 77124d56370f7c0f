/**
 * Discovers what a server serves: two requests with the aggregated format, one per group version with the legacy format.
 *
 *     Transport → DiscoveryClient → Discovered → CachedDiscovery, DynamicMapper
 */
import { apiVersionOf, assert, isNotFound, parseGroupVersion } from "@drover/machinery";
import type { JsonObject, JsonValue, Log, Transport, WaitOptions } from "@drover/machinery";
import { decodeAggregatedDiscovery, isAggregatedDiscovery } from "./aggregated-discovery.ts";
import type { ApiGroup, ApiResourceList, Discovered, DiscoveryFailure } from "./api-group.ts";
import { boundedMap } from "./bounded-map.ts";
import type { DiscoveryInterface, PreferredResources } from "./discovery-interface.ts";
import { objectField } from "./document-field.ts";
import { fetchDocument } from "./document-request.ts";
import type { DocumentRequestOptions, FetchedDocument } from "./document-request.ts";
import { decodeApiGroup, decodeApiGroupList, decodeApiResourceList, decodeApiVersions } from "./legacy-discovery.ts";
import { OpenApiClient } from "./openapi-client.ts";
import { filterResources, preferredResources } from "./preferred-resources.ts";
import { decodeServerVersion } from "./server-version.ts";
import type { ServerVersion } from "./server-version.ts";

/** Options for discovery. */
export interface DiscoveryClientOptions extends DocumentRequestOptions {
  /** Log of the client that `restClient` returns. */
  readonly log: Log;
  /**
   * `"aggregated"` requests everything in one document, with the legacy format as a fallback; `"legacy"` requests only the
   * legacy format. @default "aggregated"
   */
  readonly format?: "aggregated" | "legacy";
  /**
   * `"all"` requests what the whole control plane serves; `"none"` only what this API server serves itself, if it can tell.
   * @default "all"
   */
  readonly peers?: "all" | "none";
  /** Maximum concurrent requests for group versions, in the legacy format. @default 10 */
  readonly concurrency?: number;
}

const plainJson = "application/json";
const aggregated = (version: string): string => `${plainJson};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** The `Accept` header of discovery: aggregated formats first, then the legacy one. */
export function discoveryAccept({ format = "aggregated", peers = "all" }: Pick<DiscoveryClientOptions, "format" | "peers">): string {
  if (format === "legacy") return plainJson;
  const forms = [aggregated("v2"), aggregated("v2beta1"), plainJson];
  return (peers === "none" ? [`${aggregated("v2")};profile=nopeer`, ...forms] : forms).join(",");
}

type Root = "/api" | "/apis";
/** Result of `/api` or `/apis`: everything, or only the groups in the legacy format. */
type Endpoint =
  | { readonly kind: "aggregated"; readonly discovered: Discovered }
  | { readonly kind: "legacy"; readonly groups: readonly ApiGroup[] };

/** Requests each time; keeps the last aggregated document, so that an unchanged one costs a 304. The result is then the same object. */
export class DiscoveryClient implements DiscoveryInterface {
  readonly #transport: Transport;
  readonly #options: DiscoveryClientOptions;
  readonly #openApi: OpenApiClient;
  readonly #kept = new Map<Root, { readonly etag: string; readonly endpoint: Endpoint }>();
  #merged: { readonly parts: readonly [Endpoint, Endpoint]; readonly discovered: Discovered } | undefined;

  constructor(transport: Transport, options: DiscoveryClientOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#openApi = new OpenApiClient(transport, options);
  }

  /** Returns the same client with the legacy format. */
  withLegacy(): DiscoveryClient {
    return new DiscoveryClient(this.#transport, { ...this.#options, format: "legacy" });
  }

  async serverGroups(options: WaitOptions = {}): Promise<readonly ApiGroup[]> {
    return groupsOf(await this.#endpoints(options));
  }

  async serverGroup(name: string, options: WaitOptions = {}): Promise<Discovered> {
    const group = await this.#groupDocument(name, options);
    return group === undefined ? { groups: [], resources: [], failures: [] } : this.#describe([group], new Map(), options);
  }

  async serverResourcesForGroupVersion(groupVersion: string, options: WaitOptions = {}): Promise<ApiResourceList> {
    if (parseGroupVersion(groupVersion).version === "") throw new TypeError("groupVersion shouldn't be empty");
    const path = `${groupVersion.includes("/") ? "/apis" : "/api"}/${groupVersion.split("/").map(pathSegment).join("/")}`;
    try {
      return decodeApiResourceList((await this.#fetch(path, options)).document, groupVersion);
    } catch (error) {
      if (groupVersion === "v1" && isNotFound(error)) return { groupVersion, resources: [] };
      throw error;
    }
  }

  async serverGroupsAndResources(options: WaitOptions = {}): Promise<Discovered> {
    const endpoints = await this.#endpoints(options);
    const [core, others] = endpoints;
    if (core.kind === "aggregated" && others.kind === "aggregated")
      return this.#merge([core, others], [core.discovered, others.discovered]);
    const first = await this.#describeAll(endpoints, new Map(), options);
    if (first.failures.length === 0) return first;
    // A group may disappear between the list and its description, and an API may have been busy: retry once, only what is
    // missing.
    const known = new Map(first.resources.map((list) => [list.groupVersion, list]));
    return this.#describeAll(await this.#endpoints(options), known, options);
  }

  async serverPreferredResources(options: WaitOptions = {}): Promise<PreferredResources> {
    const discovered = await this.serverGroupsAndResources(options);
    return { resources: preferredResources(discovered), failures: discovered.failures };
  }

  async serverPreferredNamespacedResources(options: WaitOptions = {}): Promise<PreferredResources> {
    const { resources, failures } = await this.serverPreferredResources(options);
    return { resources: filterResources(resources, ({ scope }) => scope === "Namespaced"), failures };
  }

  async serverVersion(options: WaitOptions = {}): Promise<ServerVersion> {
    return decodeServerVersion((await this.#fetch("/version", options)).document);
  }

  async openApiSchema(options: WaitOptions = {}): Promise<JsonObject> {
    return objectField((await this.#fetch("/openapi/v2", options)).document, "the OpenAPI v2 document");
  }

  openApiV3(): OpenApiClient {
    return this.#openApi;
  }

  async #endpoints(options: WaitOptions): Promise<readonly [Endpoint, Endpoint]> {
    return Promise.all([this.#endpoint("/api", options).catch(toleratingMissing), this.#endpoint("/apis", options)]);
  }

  async #endpoint(root: Root, { signal }: WaitOptions): Promise<Endpoint> {
    const kept = this.#kept.get(root);
    const fetched = await fetchDocument(
      this.#transport,
      { path: root, accept: discoveryAccept(this.#options), etag: kept?.etag, signal },
      this.#options,
    );
    if (fetched === undefined && kept !== undefined) return kept.endpoint;
    const endpoint = readEndpoint(root, present(fetched, root));
    if (endpoint.kind === "aggregated" && fetched !== undefined && fetched.etag !== "")
      this.#kept.set(root, { etag: fetched.etag, endpoint });
    else this.#kept.delete(root);
    return endpoint;
  }

  /** Merges both responses. Returns the same result while they are the same. */
  #merge(parts: readonly [Endpoint, Endpoint], [core, others]: readonly [Discovered, Discovered]): Discovered {
    if (this.#merged?.parts[0] === parts[0] && this.#merged.parts[1] === parts[1]) return this.#merged.discovered;
    const discovered = {
      groups: groupsOf(parts),
      resources: [...core.resources, ...others.resources],
      failures: [...core.failures, ...others.failures],
    };
    this.#merged = { parts, discovered };
    return discovered;
  }

  /** Describes what the endpoints only listed; keeps what they described. */
  async #describeAll(
    endpoints: readonly [Endpoint, Endpoint],
    known: ReadonlyMap<string, ApiResourceList>,
    options: WaitOptions,
  ): Promise<Discovered> {
    const listed = endpoints.flatMap((endpoint) => (endpoint.kind === "legacy" ? endpoint.groups : []));
    const whole = endpoints.flatMap((endpoint) => (endpoint.kind === "aggregated" ? [endpoint.discovered] : []));
    const described = await this.#describe(listed, known, options);
    const lists = new Map([...whole, described].flatMap(({ resources }) => resources).map((list) => [list.groupVersion, list]));
    const groups = groupsOf(endpoints);
    return { groups, resources: inOrder(groups, lists), failures: [...whole, described].flatMap(({ failures }) => failures) };
  }

  async #describe(groups: readonly ApiGroup[], known: ReadonlyMap<string, ApiResourceList>, options: WaitOptions): Promise<Discovered> {
    const wanted = groups.flatMap(({ name: group, versions }) => versions.map((version) => apiVersionOf({ group, version })));
    const answers = await boundedMap(
      wanted,
      this.#options.concurrency ?? 10,
      async (groupVersion): Promise<ApiResourceList | DiscoveryFailure> => {
        try {
          return known.get(groupVersion) ?? (await this.serverResourcesForGroupVersion(groupVersion, options));
        } catch (error) {
          options.signal?.throwIfAborted();
          return { groupVersion, error };
        }
      },
    );
    return {
      groups,
      resources: answers.filter((answer) => "resources" in answer),
      failures: answers.filter((answer) => "error" in answer),
    };
  }

  async #groupDocument(name: string, options: WaitOptions): Promise<ApiGroup | undefined> {
    try {
      if (name === "") return decodeApiVersions((await this.#fetch("/api", options)).document)[0];
      return decodeApiGroup((await this.#fetch(`/apis/${pathSegment(name)}`, options)).document);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #fetch(path: string, { signal }: WaitOptions): Promise<FetchedDocument> {
    return present(await fetchDocument(this.#transport, { path, accept: plainJson, signal }, this.#options), path);
  }
}

/** A 304 is valid only if we sent an ETag. */
function present(fetched: FetchedDocument | undefined, path: string): FetchedDocument {
  assert(fetched !== undefined, `get ${path}: a 304 without an ETag to compare`);
  return fetched;
}

function pathSegment(text: string): string {
  if (text !== "." && text !== "..") return encodeURIComponent(text);
  throw new TypeError(`"${text}" cannot be the name of a group or a version`);
}

/** An aggregated API server has no core group. */
function toleratingMissing(error: unknown): Endpoint {
  if (isNotFound(error)) return noGroups;
  throw error;
}

const noGroups: Endpoint = { kind: "aggregated", discovered: { groups: [], resources: [], failures: [] } };

function readEndpoint(root: Root, { contentType, document }: FetchedDocument): Endpoint {
  if (isAggregatedDiscovery(contentType, document)) return { kind: "aggregated", discovered: decodeAggregatedDiscovery(document) };
  return { kind: "legacy", groups: readGroups(root, document) };
}

const readGroups = (root: Root, document: JsonValue): readonly ApiGroup[] =>
  root === "/api" ? decodeApiVersions(document) : decodeApiGroupList(document);

const groupsOf = (endpoints: readonly [Endpoint, Endpoint]): readonly ApiGroup[] =>
  endpoints.flatMap((endpoint) => (endpoint.kind === "aggregated" ? endpoint.discovered.groups : endpoint.groups));

function inOrder(groups: readonly ApiGroup[], lists: ReadonlyMap<string, ApiResourceList>): readonly ApiResourceList[] {
  return groups.flatMap(({ name: group, versions }) => versions.flatMap((version) => lists.get(apiVersionOf({ group, version })) ?? []));
}
