/** client-go's `NewInformer`: a controller that fills a store and notifies one handler; not shared. */
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { Indexers, ListerWatcher } from "@drover/cache";
import type { Controller } from "./controller.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import { newSharedIndexInformer } from "./shared-index-informer.ts";
import type { SharedIndexInformerOptions } from "./shared-index-informer.ts";
import type { ReadonlyIndexer, ReadonlyStore } from "./shared-informer.ts";

/** Options of `newInformer` and `newIndexerInformer`. */
export interface ClassicInformerOptions<T extends KubeObject> extends Omit<SharedIndexInformerOptions<T>, "indexers"> {
  readonly handler: ResourceEventHandler<T>;
  /** Transforms every object before it is stored. @default no transform */
  readonly transform?: (object: T) => T;
}

/** Returns a store and the controller that fills it. */
export function newInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: ClassicInformerOptions<T>,
): { readonly store: ReadonlyStore<DeepReadonly<T>>; readonly controller: Controller } {
  const { indexer, controller } = newIndexerInformer(listerWatcher, {}, options);
  return { store: indexer, controller };
}

/** Returns an indexer and the controller that fills it. */
export function newIndexerInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  indexers: Indexers<T>,
  { handler, transform, ...options }: ClassicInformerOptions<T>,
): { readonly indexer: ReadonlyIndexer<DeepReadonly<T>>; readonly controller: Controller } {
  const informer = newSharedIndexInformer(listerWatcher, { ...options, indexers });
  if (transform !== undefined) informer.setTransform(transform);
  informer.addEventHandler(handler);
  return { indexer: informer.getIndexer(), controller: informer.getController() };
}
