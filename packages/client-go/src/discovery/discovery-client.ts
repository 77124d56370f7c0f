/**
 * Discovery with client-go's `RESTClient()`: the discovery client of @drover/client and a REST client.
 *
 *     DiscoveryInterface of @drover/client + RestClient → newDiscoveryClient
 */
import { DiscoveryClient } from "@drover/client";
import type { DiscoveryInterface as Discovery } from "@drover/client";
import type { Runtime, Transport } from "@drover/machinery";
import { RestClient } from "../rest/rest-client.ts";

/** client-go's `discovery.DiscoveryInterface`. */
export interface DiscoveryInterface extends Discovery {
  /** Returns a client for requests that have no method in this interface. */
  restClient(): RestClient;
}

/**
 * Returns discovery over a transport, with a REST client for other requests. `memory`, for example a `CachedDiscovery`, serves
 * discovery instead of the transport. Sends nothing until a method is called.
 */
export function newDiscoveryClient(
  transport: Transport,
  { clock, log }: Pick<Runtime, "clock" | "log">,
  memory: Discovery = new DiscoveryClient(transport, { clock, log }),
): DiscoveryInterface {
  const rest = new RestClient({ transport, clock, log });
  return {
    restClient: () => rest,
    serverGroups: (options) => memory.serverGroups(options),
    serverGroup: (name, options) => memory.serverGroup(name, options),
    serverResourcesForGroupVersion: (groupVersion, options) => memory.serverResourcesForGroupVersion(groupVersion, options),
    serverGroupsAndResources: (options) => memory.serverGroupsAndResources(options),
    serverPreferredResources: (options) => memory.serverPreferredResources(options),
    serverPreferredNamespacedResources: (options) => memory.serverPreferredNamespacedResources(options),
    serverVersion: (options) => memory.serverVersion(options),
    openApiSchema: (options) => memory.openApiSchema(options),
    openApiV3: () => memory.openApiV3(),
  };
}
