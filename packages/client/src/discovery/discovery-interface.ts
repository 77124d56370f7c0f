/**
 * Everything one can ask a server about what it serves. `DiscoveryClient` asks each time; `CachedDiscovery` remembers.
 */
import type { JsonObject, WaitOptions } from "@drover/machinery";
import type { ApiGroup, ApiResourceList, Discovered, DiscoveryFailure } from "./api-group.ts";
import type { OpenApiClient } from "./openapi-client.ts";
import type { ServerVersion } from "./server-version.ts";

/** Resources, together with what could not be found out. */
export interface PreferredResources {
  readonly resources: readonly ApiResourceList[];
  readonly failures: readonly DiscoveryFailure[];
}

/**
 * The questions. Those about many group versions answer with what was found and, beside it, with what failed; they reject only when
 * nothing can be said at all. `requireComplete` turns half an answer into an error.
 */
export interface DiscoveryInterface {
  /** The groups, the core group first, then in the server's order. */
  serverGroups(options?: WaitOptions): Promise<readonly ApiGroup[]>;
  /** One group alone, without looking at any other; `groups` is empty when there is no such group. */
  serverGroup(name: string, options?: WaitOptions): Promise<Discovered>;
  /**
   * The resources of one group version ("apps/v1", "v1"). Rejects when it cannot be had; a server without a core group
   * has an empty "v1".
   */
  serverResourcesForGroupVersion(groupVersion: string, options?: WaitOptions): Promise<ApiResourceList>;
  /** All groups, with all their resources in every version. */
  serverGroupsAndResources(options?: WaitOptions): Promise<Discovered>;
  /** Each resource once, in the version the server prefers. */
  serverPreferredResources(options?: WaitOptions): Promise<PreferredResources>;
  /** The same without resources of the whole cluster, and without lists that are then empty. */
  serverPreferredNamespacedResources(options?: WaitOptions): Promise<PreferredResources>;
  serverVersion(options?: WaitOptions): Promise<ServerVersion>;
  /** The OpenAPI v2 document as the server writes it; some megabytes. */
  openApiSchema(options?: WaitOptions): Promise<JsonObject>;
  /** The OpenAPI v3 documents, one per group version. */
  openApiV3(): OpenApiClient;
}
