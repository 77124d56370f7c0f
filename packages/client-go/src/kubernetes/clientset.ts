/**
 * client-go's clientset: every built-in resource under its group and version.
 *
 *     newForConfig(config) → clientset.appsV1().deployments("shop").get("web")
 *
 * The verbs are those of Drover's typed client. Writes of a clientset count as own writes of the cluster, and all users of the cluster
 * share its informers.
 */
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { allNamespaces } from "@drover/client";
import type { Client, ResourceClient, ResourceVerbs, WatchOptions, WriteOptions } from "@drover/client";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";
import { newDiscoveryClient } from "../discovery/discovery-client.ts";
import type { DiscoveryInterface } from "../discovery/discovery-client.ts";
import type { ClientGoPlace } from "../rest/place.ts";
import type { RestConfig } from "../rest/rest-config.ts";
import { watchInterface } from "../watch/watch-interface.ts";
import type { WatchInterface } from "../watch/watch-interface.ts";
import { apiGroups } from "./api-groups.ts";
import type { ApiGroups } from "./api-groups.ts";

/** Verbs and subresources of one resource, such as client-go's `DeploymentInterface`. */
export type ResourceInterface<T extends KubeObject, Sub extends string = string> = Omit<ResourceVerbs<T, "Cluster">, "watch"> &
  Omit<ResourceClient<T, "Cluster", Sub>, keyof ResourceVerbs<T, "Cluster">> & {
    watch(options?: WatchOptions): WatchInterface<T>;
    /** Updates only the status. Throws a TypeError for a kind without a status. */
    updateStatus(object: DeepReadonly<T>, options?: WriteOptions): Promise<T>;
  };

/** Getters of namespaced resources take a namespace ("" means all namespaces); those of cluster-scoped ones take none. */
export type ResourceGetter<K> =
  K extends Kind<infer T, infer S, infer Sub>
    ? S extends "Namespaced"
      ? (namespace: string) => ResourceInterface<T, Sub>
      : () => ResourceInterface<T, Sub>
    : never;

/** The resources of one group version: client-go's `AppsV1Interface`. */
export type GroupVersionInterface<R> = { readonly [Resource in keyof R]: ResourceGetter<R[Resource]> };

type VersionName<Group extends string, Version extends string> = `${Group}${Capitalize<Version>}`;

type GroupVersionGetters = {
  readonly [Group in keyof ApiGroups as never]: Group;
} & {
  readonly [Path in GroupVersionPath as VersionName<Path["group"], Path["version"]>]: () => GroupVersionInterface<Path["resources"]>;
};

type GroupVersionPath = {
  [Group in keyof ApiGroups]: {
    [Version in keyof ApiGroups[Group]]: {
      readonly group: Group & string;
      readonly version: Version & string;
      readonly resources: ApiGroups[Group][Version];
    };
  }[keyof ApiGroups[Group]];
}[keyof ApiGroups];

/** Typed clients of all built-in kinds: client-go's `kubernetes.Clientset`. */
export type Clientset = GroupVersionGetters & {
  discovery(): DiscoveryInterface;
  /** The cluster behind it, whose informers and own writes it shares. */
  readonly cluster: Cluster;
};

/** Anything with a cluster: a `Connection` of `connect()`, or another clientset. */
export interface ClusterOwner {
  readonly cluster: Cluster;
}

/**
 * Returns a clientset: client-go's `kubernetes.NewForConfig`. A config opens a new connection; a `ClusterOwner` shares its cluster.
 * Sends nothing by itself.
 */
export function newForConfig(
  config: RestConfig | ClusterOwner,
  { runtime, transportFor }: Pick<ClientGoPlace, "runtime" | "transportFor">,
): Clientset {
  if ("cluster" in config) return newClientset(config.cluster);
  return newClientset(createCluster({ runtime, transport: transportFor(config), namespace: config.access.namespace }));
}

/** Returns the clientset of a cluster. */
export function newClientset(cluster: Cluster): Clientset {
  const getters = new Map<string, unknown>();
  for (const [group, versions] of Object.entries(apiGroups) as readonly [
    string,
    Readonly<Record<string, Readonly<Record<string, Kind>>>>,
  ][])
    for (const [version, resources] of Object.entries(versions))
      getters.set(`${group}${version.charAt(0).toUpperCase()}${version.slice(1)}`, () => groupVersion(cluster.client, resources));
  const discovery = newDiscoveryClient(cluster.transport, cluster.runtime);
  // Clientset is derived from the type of this table.
  return { ...Object.fromEntries(getters), discovery: () => discovery, cluster } as Clientset;
}

function groupVersion(client: Client, resources: Readonly<Record<string, Kind>>): unknown {
  return Object.fromEntries(
    Object.entries(resources).map(([name, kind]) => [
      name,
      (namespace?: string) => resourceInterface(client, kind, kind.scope === "Cluster" ? undefined : namespace),
    ]),
  );
}

/** Returns the verbs of a kind in one namespace; "" means all namespaces. */
export function resourceInterface<T extends KubeObject, S extends Scope, Sub extends string>(
  client: Client,
  kind: Kind<T, S, Sub>,
  namespace: string | undefined,
): ResourceInterface<T, Sub> {
  const place = namespace === undefined ? client : client.with({ namespace: namespace === "" ? allNamespaces : namespace });
  const verbs = place.resource(kind);
  const status = (verbs as { readonly status?: { update(object: DeepReadonly<T>, options?: WriteOptions): Promise<T> } }).status;
  const made = {
    ...verbs,
    watch: ({ signal, ...options }: WatchOptions = {}) =>
      watchInterface<T>((stopping) => verbs.watch({ ...options, signal: stopping }), signal),
    updateStatus: (object: DeepReadonly<T>, options?: WriteOptions) => {
      if (status === undefined) throw new TypeError(`${kind.plural} have no status to update`);
      return status.update(object, options);
    },
  };
  // The namespace is fixed here, so the verbs have the signatures of a cluster-scoped kind.
  return made as unknown as ResourceInterface<T, Sub>;
}
