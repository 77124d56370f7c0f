/**
 * The same controllers, whose clients send another agent: for a program of several parts that are to be told apart in
 * the server's audit.
 */
import type { GroupVersionKind, GroupVersionResource, Kind, KubeObject, WaitOptions } from "@drover/machinery";
import type { SharedController } from "./shared-controller.ts";
import type { SharedControllerFactory } from "./shared-controller-factory.ts";
import { newSharedClientFactoryWithAgent } from "./shared-client-factory.ts";
import type { SharedClientFactory } from "./shared-client-factory.ts";

/**
 * A factory whose controllers have clients under this name, by whichever way they are asked for. Caches, queues and
 * handlers are those of the
 * original, which stays as it is; the lists and watches of caches go on under its name.
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

/** One controller whose client sends another agent; the original stays as it is. */
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
