/**
 * client-go's `cache.ListWatch`: a lister-watcher from two functions.
 *
 *     new ListWatch({ listFunc, watchFunc }) → newSharedIndexInformer, newReflector
 */
import type { ListerWatcher } from "@drover/cache";
import type { KubeList, KubeObject, ListOptions, WatchEvent } from "@drover/machinery";

/** Lists one collection. */
export type Lister<T extends KubeObject = KubeObject> = Pick<ListerWatcher<T>, "list">;

/** Watches one collection. */
export type Watcher<T extends KubeObject = KubeObject> = Pick<ListerWatcher<T>, "watch">;

/** Functions of a `ListWatch`. */
export interface ListWatchFuncs<T extends KubeObject> {
  readonly listFunc: (options: ListOptions & { readonly signal: AbortSignal }) => Promise<KubeList<T>>;
  readonly watchFunc: (options: ListOptions & { readonly signal: AbortSignal }) => AsyncIterable<WatchEvent<T>>;
  /** Whether the functions support `sendInitialEvents`, with which a watch starts with the current state. @default false */
  readonly supportsWatchList?: boolean;
  /** What it lists, for logs: "deployments in shop". @default "objects" */
  readonly description?: string;
}

/** A lister-watcher from two functions: client-go's `cache.ListWatch`. */
export class ListWatch<T extends KubeObject = KubeObject> implements ListerWatcher<T> {
  readonly supportsWatchList: boolean;
  readonly description: string;
  readonly #funcs: ListWatchFuncs<T>;

  constructor(funcs: ListWatchFuncs<T>) {
    this.#funcs = funcs;
    this.supportsWatchList = funcs.supportsWatchList ?? false;
    this.description = funcs.description ?? "objects";
  }

  list(options: ListOptions, { signal }: { readonly signal: AbortSignal }): Promise<KubeList<T>> {
    return this.#funcs.listFunc({ ...options, signal });
  }

  watch(options: ListOptions, { signal }: { readonly signal: AbortSignal }): AsyncIterable<WatchEvent<T>> {
    return this.#funcs.watchFunc({ ...options, signal });
  }
}
