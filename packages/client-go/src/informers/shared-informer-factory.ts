/**
 * client-go's `informers.SharedInformerFactory`: one shared informer per resource.
 *
 *     newSharedInformerFactory(clientset, 0).apps().v1().deployments().informer()
 *     newSharedInformerFactory(clientset, 0).apps().v1().deployments().lister().deployments("shop").get("web")
 *
 * It uses the informers of the clientset's cluster: a Lasso cache and an operator on the same cluster share their watch.
 */
import type { InformerRequest, Lister, NamespaceLister, InformerView } from "@drover/cache";
import { Group } from "@drover/machinery";
import type { Kind, KubeObject, ListOptions } from "@drover/machinery";
import { metaNamespaceIndexFunc } from "../cache/indexer.ts";
import { clusterIndexInformer } from "../cache/shared-index-informer.ts";
import type { SharedIndexInformer } from "../cache/shared-informer.ts";
import { apiGroups } from "../kubernetes/api-groups.ts";
import type { ApiGroups } from "../kubernetes/api-groups.ts";
import type { ClusterOwner } from "../kubernetes/clientset.ts";

/** Informer and lister of one resource, such as client-go's `DeploymentInformer`. */
export interface ResourceInformer<T extends KubeObject, Name extends string = string> {
  informer(): SharedIndexInformer<T>;
  /** Reads the informer's cache: by name, by labels, and in one namespace under the name of the resource. */
  lister(): ResourceLister<T, Name>;
}

/** Lister of one resource; a method with the name of the resource returns the lister of a namespace. */
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

/** Options of `newSharedInformerFactory`. */
export interface SharedInformerFactoryOptions {
  /** Namespace of namespaced resources. @default all namespaces */
  readonly namespace?: string;
  /** Changes the options of every list and watch. @default options are unchanged */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
  /** Transforms every object before it is stored. @default no transform */
  readonly transform?: (object: KubeObject) => KubeObject;
}

/** Guarantees: at most one informer per resource; nothing is sent before `start`. */
export type SharedInformerFactory = InformerGroups & {
  /** Returns the informer of any kind, including custom resources. */
  forResource<T extends KubeObject>(kind: Kind<T>): ResourceInformer<T>;
  /** Starts all requested informers that are not running; they stop with the signal. Does not wait for them. */
  start(signal: AbortSignal): void;
  /** Resolves with the kinds of the started informers and whether each has synced; false after an abort. */
  waitForCacheSync(signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>;
  /** Resolves when every started informer has stopped. */
  shutdown(): Promise<void>;
};

/** Returns a factory. `defaultResyncMs` is the default resync period of handlers; 0 means never. */
export function newSharedInformerFactory(
  { cluster }: ClusterOwner,
  defaultResyncMs = 0,
  options: SharedInformerFactoryOptions = {},
): SharedInformerFactory {
  const informers = new Map<string, { readonly informer: AnyInformer; group: Group | undefined }>();
  const informerOf = <T extends KubeObject>(kind: Kind<T>): SharedIndexInformer<T> => {
    const key = `${kind.group}/${kind.version}/${kind.plural}`;
    const known = informers.get(key);
    // The key identifies the kind, so the informer is of type T.
    if (known !== undefined) return known.informer as SharedIndexInformer<T>;
    if (!kind.verbs.includes("watch")) throw new TypeError(`${kind.plural} cannot be watched, so they have no informer`);
    const informer = clusterIndexInformer<T>(cluster, kind, {
      request: requestFor(kind, options),
      resyncPeriodMs: defaultResyncMs,
      ...(kind.scope === "Namespaced" ? { indexers: { namespace: metaNamespaceIndexFunc } } : {}),
    });
    const { transform } = options;
    if (transform !== undefined) informer.setTransform((object) => transform(object) as T);
    informers.set(key, { informer, group: undefined });
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
    Object.entries(apiGroups) as readonly (readonly [string, Table<Table<Kind>>])[],
    (versions) => () =>
      mapValues(
        Object.entries(versions),
        (resources) => () => mapValues(Object.entries(resources), (kind, name) => () => resource(kind, name)),
      ),
  );
  return {
    // InformerGroups is derived from the type of this table.
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

/** The members of an informer that do not depend on the type of its objects. */
type AnyInformer = Pick<SharedIndexInformer<KubeObject>, "run" | "hasSynced" | "isStopped"> & {
  readonly view: Pick<InformerView<KubeObject>, "name" | "synced">;
};

const mapValues = <V, R>(entries: readonly (readonly [string, V])[], map: (value: V, name: string) => R): Table<R> =>
  Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)]));

function requestFor<T extends KubeObject>(
  { scope }: Kind<T>,
  { namespace = "", tweakListOptions }: SharedInformerFactoryOptions,
): Omit<InformerRequest<T>, "transform"> {
  return {
    ...(scope === "Cluster" || namespace === "" ? {} : { namespace }),
    ...(tweakListOptions === undefined ? {} : { tweakListOptions }),
  };
}
