/**
 * One client per resource for all users.
 *
 *     Cluster → newSharedClientFactory → Client → newCache
 */
import { DiscoveryClient, DynamicMapper, impersonate, userAgent } from "@drover/client";
import { newClient } from "./client/new-client.ts";
import { RestClient } from "@drover/client-go";
import type { Impersonation, TransportWrapper, Unstructured } from "@drover/client";
import type { Client } from "./client/new-client.ts";
import { apiVersionOf, groupVersionKindOf } from "@drover/machinery";
import type { GroupVersionKind, GroupVersionResource, Kind, KubeList, KubeObject, TypeMeta, WaitOptions } from "@drover/machinery";
import type { Cluster } from "@drover/cache";
import { newRetryMapper } from "./retry-mapper.ts";
import type { Mapper } from "./retry-mapper.ts";

/** How to reach the server. */
export interface ClientConfig {
  /** Cluster whose transport and informers are used; handlers get its client. */
  readonly cluster: Cluster;
  /** Timeout of a call in milliseconds, except watches; 0 means no limit. @default 0 */
  readonly timeoutMs?: number;
}

/** Options of `newSharedClientFactory`. */
export interface SharedClientFactoryOptions {
  /** Maps kinds to resources. @default a retry mapper: it asks until the server knows the kind or the signal aborts */
  readonly mapper?: Mapper;
}

/** Resource and scope of a kind. */
export interface ResourceOfKind {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** Guarantees: methods that return no promise send no request; equal arguments return the same client. */
export interface SharedClientFactory {
  readonly cluster: Cluster;
  /** Returns the client of a kind; asks the server for its resource. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<Client>;
  /** Returns the client of a resource; asks the server for its kind. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<Client>;
  /** Returns the client of a resource and kind, without asking the server. */
  forResourceKind<T extends KubeObject = Unstructured>(resource: GroupVersionResource, kind: string, namespaced: boolean): Client<T>;
  /** Returns the client of a kind descriptor. */
  forObject<T extends KubeObject>(kind: Kind<T>): Client<T>;
  /** Returns an empty object of a kind, and an empty list. */
  newObjects(kind: GroupVersionKind): { readonly object: KubeObject; readonly list: KubeList<KubeObject> };
  /** Returns the kind of an object. Throws a TypeError if the object has none. */
  gvkForObject(object: Readonly<TypeMeta>): GroupVersionKind;
  gvkForResource(resource: GroupVersionResource, options?: WaitOptions): Promise<GroupVersionKind>;
  isNamespaced(kind: GroupVersionKind, options?: WaitOptions): Promise<boolean>;
  resourceForGVK(kind: GroupVersionKind, options?: WaitOptions): Promise<ResourceOfKind>;
  /** Reports whether the server answers a version request. Rejects only with the signal's reason. */
  isHealthy(options?: WaitOptions): Promise<boolean>;
  /** Returns a factory with one more wrapper around its transport, and its own caches; the original stays unchanged. */
  through(wrapper: TransportWrapper): SharedClientFactory;
}

/** Returns a factory of clients. It sends no request yet. */
export function newSharedClientFactory(config: ClientConfig, { mapper }: SharedClientFactoryOptions = {}): SharedClientFactory {
  const { transport, runtime } = config.cluster;
  const discovery = new DiscoveryClient(transport, runtime);
  return factoryOf(config, mapper ?? newRetryMapper(new DynamicMapper(discovery, runtime), { runtime }), discovery);
}

/** Returns a factory of clients with default options. */
export function newSharedClientFactoryForConfig(config: ClientConfig): SharedClientFactory {
  return newSharedClientFactory(config);
}

/** Returns a factory whose clients send another user agent. The original stays unchanged. */
export function newSharedClientFactoryWithAgent(agent: string, factory: SharedClientFactory): SharedClientFactory {
  return factory.through(userAgent(agent));
}

/** Returns a factory whose clients impersonate a user. The original stays unchanged. Throws a `CredentialError` if no user is named. */
export function newSharedClientFactoryWithImpersonation(impersonation: Impersonation, factory: SharedClientFactory): SharedClientFactory {
  return factory.through(impersonate(impersonation));
}

function factoryOf(config: ClientConfig, mapper: Mapper, discovery: DiscoveryClient): SharedClientFactory {
  const { cluster, timeoutMs = 0 } = config;
  const {
    runtime: { clock, log },
    readYourWrites,
  } = cluster;
  // Registers writes of these clients as own writes: controllers wait until their caches show them.
  const rest = new RestClient({ transport: readYourWrites.transport(cluster.transport), clock, log });
  const clients = new Map<string, unknown>();
  const forResourceKind = <T extends KubeObject = Unstructured>(
    resource: GroupVersionResource,
    kind: string,
    namespaced: boolean,
  ): Client<T> => {
    const name = JSON.stringify([resource.group, resource.version, resource.resource, kind, namespaced]);
    // The caller chooses the type of the objects; the client is the same for all.
    const known = clients.get(name) as Client<T> | undefined;
    const client = known ?? newClient<T>(resource, kind, namespaced, rest, timeoutMs);
    clients.set(name, client);
    return client;
  };
  const resourceForGVK: SharedClientFactory["resourceForGVK"] = async ({ group, version, kind }, options = {}) => {
    const { resource, scope } = await mapper.restMapping({ group, kind }, { ...options, versions: [version] });
    return { resource, namespaced: scope === "Namespaced" };
  };
  return {
    cluster,
    forResourceKind,
    resourceForGVK,
    forKind: async (kind, options) => {
      const { resource, namespaced } = await resourceForGVK(kind, options);
      return forResourceKind(resource, kind.kind, namespaced);
    },
    forResource: async (resource, namespaced, options) =>
      forResourceKind(resource, (await mapper.kindFor(resource, options)).kind, namespaced),
    forObject: ({ group, version, plural, kind, scope }) =>
      forResourceKind({ group, version, resource: plural }, kind, scope === "Namespaced"),
    newObjects: ({ group, version, kind }) => {
      const apiVersion = apiVersionOf({ group, version });
      return { object: { apiVersion, kind, metadata: {} }, list: { apiVersion, kind: `${kind}List`, metadata: {}, items: [] } };
    },
    gvkForObject: (object) => {
      const kind = groupVersionKindOf(object);
      if (kind.kind === "" || kind.version === "")
        throw new TypeError("the object has no apiVersion or no kind; set them, or use a method that takes the kind");
      return kind;
    },
    gvkForResource: (resource, options) => mapper.kindFor(resource, options),
    isNamespaced: async (kind, options) => (await resourceForGVK(kind, options)).namespaced,
    isHealthy: async (options = {}) => {
      try {
        await discovery.serverVersion(options);
        return true;
      } catch {
        options.signal?.throwIfAborted();
        return false;
      }
    },
    through: (wrapper) => factoryOf({ ...config, cluster: cluster.through(wrapper) }, mapper, discovery),
  };
}
