/**
 * One client for each resource, however many ask.
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
  /** Its transport and its informers are used, and its client is the one that handlers get. */
  readonly cluster: Cluster;
  /** How long a call may take, watches excepted, in milliseconds; 0 is no limit. @default 0 */
  readonly timeoutMs?: number;
}

export interface SharedClientFactoryOptions {
  /**
   * Says where kinds are found. @default a retry mapper: it asks until the server knows the kind, or the signal of the
   * question is aborted
   */
  readonly mapper?: Mapper;
}

/** Where a kind is found. */
export interface ResourceOfKind {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** Guarantees: nothing is asked of the server by the functions that return no promise; equal questions give the same client. */
export interface SharedClientFactory {
  readonly cluster: Cluster;
  /** The client of a kind, which is looked up on the server. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<Client>;
  /** The client of a resource whose kind is looked up on the server. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<Client>;
  /** The client of a resource of which everything is known. */
  forResourceKind<T extends KubeObject = Unstructured>(resource: GroupVersionResource, kind: string, namespaced: boolean): Client<T>;
  /** The client of a kind whose descriptor the program has. */
  forObject<T extends KubeObject>(kind: Kind<T>): Client<T>;
  /** An empty object of a kind, and an empty list. */
  newObjects(kind: GroupVersionKind): { readonly object: KubeObject; readonly list: KubeList<KubeObject> };
  /** The kind an object says it is. Throws a TypeError when it does not say. */
  gvkForObject(object: Readonly<TypeMeta>): GroupVersionKind;
  gvkForResource(resource: GroupVersionResource, options?: WaitOptions): Promise<GroupVersionKind>;
  isNamespaced(kind: GroupVersionKind, options?: WaitOptions): Promise<boolean>;
  resourceForGVK(kind: GroupVersionKind, options?: WaitOptions): Promise<ResourceOfKind>;
  /** Whether the server says which version it is. Rejects only with the signal's reason. */
  isHealthy(options?: WaitOptions): Promise<boolean>;
  /** Returns the same factory with one more wrapper around its transport, and caches of its own; this one stays as it is. */
  through(wrapper: TransportWrapper): SharedClientFactory;
}

/** A factory of clients; nothing is asked of the server yet. */
export function newSharedClientFactory(config: ClientConfig, { mapper }: SharedClientFactoryOptions = {}): SharedClientFactory {
  const { transport, runtime } = config.cluster;
  const discovery = new DiscoveryClient(transport, runtime);
  return factoryOf(config, mapper ?? newRetryMapper(new DynamicMapper(discovery, runtime), { runtime }), discovery);
}

/** A factory of clients with nothing but defaults. */
export function newSharedClientFactoryForConfig(config: ClientConfig): SharedClientFactory {
  return newSharedClientFactory(config);
}

/** The same clients under the name of another program. The original factory stays as it is. */
export function newSharedClientFactoryWithAgent(agent: string, factory: SharedClientFactory): SharedClientFactory {
  return factory.through(userAgent(agent));
}

/** The same clients acting as somebody else. The original factory stays as it is. Throws a `CredentialError` when no user is named. */
export function newSharedClientFactoryWithImpersonation(impersonation: Impersonation, factory: SharedClientFactory): SharedClientFactory {
  return factory.through(impersonate(impersonation));
}

function factoryOf(config: ClientConfig, mapper: Mapper, discovery: DiscoveryClient): SharedClientFactory {
  const { cluster, timeoutMs = 0 } = config;
  const {
    runtime: { clock, log },
    readYourWrites,
  } = cluster;
  // What these clients write counts as our own: controllers wait until their caches show it.
  const rest = new RestClient({ transport: readYourWrites.transport(cluster.transport), clock, log });
  const clients = new Map<string, unknown>();
  const forResourceKind = <T extends KubeObject = Unstructured>(
    resource: GroupVersionResource,
    kind: string,
    namespaced: boolean,
  ): Client<T> => {
    const name = JSON.stringify([resource.group, resource.version, resource.resource, kind, namespaced]);
    // The caller's word for the type of the objects; the client is the same for all.
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
        throw new TypeError("the object has no apiVersion or no kind; fill them in, or ask by kind");
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
