/** Controllers whose clients send another user agent, so that the audit log of the server can tell the parts of a program apart. */
import type { GroupVersionKind, GroupVersionResource, Kind, KubeObject, WaitOptions } from "@drover/machinery";
import type { SharedController } from "./shared-controller.ts";
import type { SharedControllerFactory } from "./shared-controller-factory.ts";
import { newSharedClientFactoryWithAgent } from "./shared-client-factory.ts";
import type { SharedClientFactory } from "./shared-client-factory.ts";

/**
 * Returns a factory whose controllers have clients with this user agent. It shares caches, queues and handlers with the original factory,
 * which stays unchanged; lists and watches of the caches keep the original user agent.
 */
export function newSharedControllerFactoryWithAgent(agent: string, factory: SharedControllerFactory): SharedControllerFactory {
  const clients = newSharedClientFactoryWithAgent(agent, factory.sharedCacheFactory.sharedClientFactory);
  return {
    name: factory.name,
    sharedCacheFactory: factory.sharedCacheFactory,
    get needs() {
      return factory.needs ?? [];
    },
    forObject: <T extends KubeObject>(kind: Kind<T>) => withClient(factory.forObject(kind), clients),
    forKind: async (kind: GroupVersionKind, options?: WaitOptions) => withClient(await factory.forKind(kind, options), clients),
    forResource: async (resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions) =>
      withClient(await factory.forResource(resource, namespaced, options), clients),
    forResourceKind: (resource, kind, namespaced) => withClient(factory.forResourceKind(resource, kind, namespaced), clients),
    start: (signal, workers) => factory.start(signal, workers),
    ended: () => factory.ended(),
    run: (signal) => factory.run(signal),
  };
}

/** Returns a controller whose client sends another user agent; the original stays unchanged. */
export function newSharedControllerWithAgent<T extends KubeObject>(
  agent: string,
  controller: SharedController<T>,
  clients: SharedClientFactory,
): SharedController<T> {
  return withClient(controller, newSharedClientFactoryWithAgent(agent, clients));
}

function withClient<T extends KubeObject>(controller: SharedController<T>, clients: SharedClientFactory): SharedController<T> {
  const { resource, kind } = controller;
  const client = clients.forResourceKind<T>(resource, kind.kind, controller.client().namespaced);
  return {
    resource,
    kind,
    client: () => client,
    registerHandler: (until, name, handler) => controller.registerHandler(until, name, handler),
    enqueue: (namespace, name, reason) => controller.enqueue(namespace, name, reason),
    enqueueAfter: (namespace, name, afterMs, reason) => controller.enqueueAfter(namespace, name, afterMs, reason),
    enqueueKey: (key, reason) => controller.enqueueKey(key, reason),
    informer: () => controller.informer(),
    start: (signal, workers) => controller.start(signal, workers),
    ended: () => controller.ended(),
  };
}
