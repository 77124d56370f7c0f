/**
 * Discovery calls. `DiscoveryClient` requests each time; `CachedDiscovery` caches.
 */
import type { JsonObject, WaitOptions } from "@drover/machinery";
import type { ApiGroup, ApiResourceList, Discovered, DiscoveryFailure } from "./api-group.ts";
import type { OpenApiClient } from "./openapi-client.ts";
import type { ServerVersion } from "./server-version.ts";

/** Resources, and what could not be described. */
export interface PreferredResources {
  readonly resources: readonly ApiResourceList[];
  readonly failures: readonly DiscoveryFailure[];
}

/**
 * Calls about many group versions resolve with what was found and what failed; they reject only if nothing was found.
 * `requireComplete` turns a partial result into an error.
 */
export interface DiscoveryInterface {
  /** Returns the groups: the core group, then the others in the server's order. */
  serverGroups(options?: WaitOptions): Promise<readonly ApiGroup[]>;
  /** Returns one group without reading any other; `groups` is empty if it does not exist. */
  serverGroup(name: string, options?: WaitOptions): Promise<Discovered>;
  /**
   * Returns the resources of one group version ("apps/v1", "v1"). Rejects if it is not available; a server without a core
   * group has an empty "v1".
   */
  serverResourcesForGroupVersion(groupVersion: string, options?: WaitOptions): Promise<ApiResourceList>;
  /** Returns all groups with their resources in every version. */
  serverGroupsAndResources(options?: WaitOptions): Promise<Discovered>;
  /** Returns each resource once, in the server's preferred version. */
  serverPreferredResources(options?: WaitOptions): Promise<PreferredResources>;
  /** Same for namespaced resources only, without empty lists. */
  serverPreferredNamespacedResources(options?: WaitOptions): Promise<PreferredResources>;
  serverVersion(options?: WaitOptions): Promise<ServerVersion>;
  /** Returns the OpenAPI v2 document unchanged; several megabytes. */
  openApiSchema(options?: WaitOptions): Promise<JsonObject>;
  /** Returns the OpenAPI v3 documents, one per group version. */
  openApiV3(): OpenApiClient;
}
