/**
 * Finds the address of a webhook's service in the store. Simulated pods have no real network, so a Service can name the local port that
 * its webhook listens on.
 *
 *     Service: annotation drover.dev/forward-to, or ready EndpointSlices, or cluster IP → host and port
 */
import type { EndpointSlice } from "@drover/api/discovery/v1";
import type { Service, ServicePort } from "@drover/api/core/v1";
import { assert, quoteGo } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { ServiceAddress } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-call.ts";
import type { WebhookService } from "./webhook-options.ts";

/** "host:port" of a webhook that runs outside the cluster. */
export const forwardAnnotation = "drover.dev/forward-to";

/** Returns the lookup. It throws a `WebhookFailure` in the words of kube-apiserver. */
export function serviceAddresses(
  objects: ObjectStore,
  registry: Pick<Registry, "find">,
): (service: WebhookService) => Promise<ServiceAddress> {
  const resource = (group: string, plural: string): Resource => {
    const found = registry.find({ group, version: "v1", resource: plural });
    assert(found !== undefined, `the built-in resource ${plural} is not served`);
    return found;
  };
  return async ({ namespace, name, port }) => {
    const services = resource("", "services");
    const { stored } = await objects.store.get(keyOf(services, namespace, name));
    if (stored === undefined) throw new WebhookFailure(`service ${quoteGo(name)} not found`);
    const service = objects.views(services).shared(stored) as DeepReadonly<Service>;
    const forward = service.metadata.annotations?.[forwardAnnotation];
    if (forward !== undefined) return forwardedTo(forward);
    const { type = "ClusterIP", clusterIP = "", externalName = "" } = service.spec ?? {};
    if (type === "ExternalName") return { host: externalName, port };
    const servicePort = service.spec?.ports?.find((each) => each.port === port);
    if (servicePort === undefined) throw new WebhookFailure(`no service port ${port} found for service ${quoteGo(name)}`);
    const slices = resource("discovery.k8s.io", "endpointslices");
    const { items } = await objects.store.list(prefixOf(slices, namespace));
    const endpoint = endpointOf(
      items.map((each) => objects.views(slices).shared(each) as DeepReadonly<EndpointSlice>),
      name,
      servicePort,
    );
    if (endpoint !== undefined) return endpoint;
    if (clusterIP === "None") throw new WebhookFailure('cannot route to service with ClusterIP "None"');
    return { host: clusterIP, port };
  };
}

function forwardedTo(text: string): ServiceAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new WebhookFailure(`annotation ${forwardAnnotation}: ${quoteGo(text)} is not host:port, such as 127.0.0.1:9443`);
  return { host, port: Number(port) };
}

function endpointOf(
  slices: readonly DeepReadonly<EndpointSlice>[],
  service: string,
  { name = "" }: DeepReadonly<ServicePort>,
): ServiceAddress | undefined {
  for (const { metadata, endpoints, ports } of slices) {
    if (metadata.labels?.["kubernetes.io/service-name"] !== service) continue;
    const { port } = ports?.find((each) => (each.name ?? "") === name) ?? {};
    const host = endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses[0];
    if (host !== undefined && port !== undefined) return { host, port };
  }
  return undefined;
}
