/**
 * client-go's `informers.SharedInformerFactory`: one informer for each resource, shared by all who ask.
 *
 *     newSharedInformerFactory(clientset, 0).apps().v1().deployments().informer()
 *     newSharedInformerFactory(clientset, 0).apps().v1().deployments().lister().deployments("shop").get("web")
 *
 * Informers are those of the clientset's cluster: a Lasso cache and an operator on the same cluster share their watch.
 */
import type { InformerRequest, Lister, NamespaceLister } from "@drover/cache";
import { Group } from "@drover/machinery";
import type { Kind, KubeObject, ListOptions } from "@drover/machinery";
import { metaNamespaceIndexFunc } from "../cache/indexer.ts";
import { clusterIndexInformer } from "../cache/shared-index-informer.ts";
import type { SharedIndexInformer } from "../cache/shared-informer.ts";
import { apiGroups } from "../kubernetes/api-groups.ts";
import type { ApiGroups } from "../kubernetes/api-groups.ts";
import type { ClusterOwner } from "../kubernetes/clientset.ts";

/** Informer and lister of one resource: client-go's `DeploymentInformer` and its like. */
export interface ResourceInformer<T extends KubeObject, Name extends string = string> {
  informer(): SharedIndexInformer<T>;
  /** Reads the informer's cache: by name, by labels, and in one namespace under the name of the resource. */
  lister(): ResourceLister<T, Name>;
}

export type ResourceLister<T extends KubeObject, Name extends string> = Lister<T> & {
  readonly [Resource in Name]: (namespace: string) => NamespaceLister<T>;
};

/** `factory.apps().v1().deployments()`. */
export type InformerGroups = {
  readonly [Group in keyof ApiGroups]: () => {
    readonly [Version in keyof ApiGroups[Group]]: () => {
      readonly [Resource in keyof ApiGroups[Group][Version] & string]: () => ApiGroups[Group][Version][Resource] extends Kind<infer T>
        ? ResourceInformer<T, Resource>
        : never;
    };
  };
};

export interface SharedInformerFactoryOptions {
  /** Only objects in this namespace, of namespaced resources. @default all namespaces */
  readonly namespace?: string;
  /** Has the last word on the options of every list and watch. @default options stay as they are */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
  /** Changes every object before it is stored. @default objects stay as they are */
  readonly transform?: (object: KubeObject) => KubeObject;
}

/** Guarantees: at most one informer for a resource; nothing is sent before `start`. */
export type SharedInformerFactory = InformerGroups & {
  /** The informer of any kind, custom resources included. */
  forResource<T extends KubeObject>(kind: Kind<T>): ResourceInformer<T>;
  /** Starts the informers that have been asked for and are not running; they stop with the signal. Does not wait for them. */
  start(signal: AbortSignal): void;
  /** Resolves with the kinds of the started informers, and whether each has synced; false after the signal was aborted. */
  waitForCacheSync(signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>;
  /** Resolves when every informer that was started has stopped. */
  shutdown(): Promise<void>;
};

/** Returns a factory. `defaultResyncMs` is the resync period of handlers that ask for none; 0 is never. */
export function newSharedInformerFactory(
  { cluster }: ClusterOwner,
  defaultResyncMs = 0,
  options: SharedInformerFactoryOptions = {},
): SharedInformerFactory {
  const informers = new Map<string, { readonly informer: SharedIndexInformer<KubeObject>; group: Group | undefined }>();
  const informerOf = <T extends KubeObject>(kind: Kind<T>): SharedIndexInformer<T> => {
    const key = `${kind.group}/${kind.version}/${kind.plural}`;
    const known = informers.get(key);
    // The kind says which type its objects have.
    if (known !== undefined) return known.informer as unknown as SharedIndexInformer<T>;
    if (!kind.verbs.includes("watch")) throw new TypeError(`${kind.plural} have no informer: the server does not let them be watched`);
    const informer = clusterIndexInformer<T>(cluster, kind, {
      request: requestFor(kind, options),
      resyncPeriodMs: defaultResyncMs,
      ...(kind.scope === "Namespaced" ? { indexers: { namespace: metaNamespaceIndexFunc } } : {}),
    });
    if (options.transform !== undefined) informer.setTransform(options.transform as unknown as (object: T) => T);
    informers.set(key, { informer: informer as unknown as SharedIndexInformer<KubeObject>, group: undefined });
    return informer;
  };
  const resource = <T extends KubeObject>(kind: Kind<T>, name: string): ResourceInformer<T> => ({
    informer: () => informerOf(kind),
    lister: () => {
      const { lister } = informerOf(kind).view;
      return { ...lister, [name]: (namespace: string) => lister.namespace(namespace) } as ResourceLister<T, string>;
    },
  });
  const groups = mapValues(
    apiGroups as unknown as Table<Table<Table<Kind>>>,
    (versions) => () => mapValues(versions, (resources) => () => mapValues(resources, (kind, name) => () => resource(kind, name))),
  );
  return {
    // The table of kinds is the type of the groups.
    ...(groups as unknown as InformerGroups),
    forResource: (kind) => resource(kind, kind.plural),
    start: (signal) => {
      for (const entry of informers.values()) {
        if (entry.group !== undefined || signal.aborted) continue;
        const group = new Group({ signal });
        group.spawn(entry.informer.view.name, (stopping) => entry.informer.run(stopping));
        entry.group = group;
      }
    },
    waitForCacheSync: async (signal) => {
      const started = [...informers].filter(([, { group }]) => group !== undefined);
      const synced = started.map(async ([key, { informer }]): Promise<readonly [string, boolean]> => {
        await informer.view.synced(signal).catch((error: unknown) => {
          if (!signal.aborted && !informer.isStopped()) throw error;
        });
        return [key, informer.hasSynced()];
      });
      return new Map(await Promise.all(synced));
    },
    shutdown: async () => {
      await Promise.all([...informers.values()].flatMap(({ group }) => (group === undefined ? [] : [group.done()])));
    },
  };
}

/** client-go's `NewFilteredSharedInformerFactory`. */
export function newFilteredSharedInformerFactory(
  client: ClusterOwner,
  defaultResyncMs: number,
  namespace: string,
  tweakListOptions: (options: ListOptions) => ListOptions = (same) => same,
): SharedInformerFactory {
  return newSharedInformerFactory(client, defaultResyncMs, { namespace, tweakListOptions });
}

type Table<V> = Readonly<Record<string, V>>;

const mapValues = <V, R>(table: Table<V>, map: (value: V, name: string) => R): Table<R> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value, name)]));

function requestFor<T extends KubeObject>(
  { scope }: Kind<T>,
  { namespace = "", tweakListOptions }: SharedInformerFactoryOptions,
): Omit<InformerRequest<T>, "transform"> {
  return {
    ...(scope === "Cluster" || namespace === "" ? {} : { namespace }),
    ...(tweakListOptions === undefined ? {} : { tweakListOptions }),
  };
}
