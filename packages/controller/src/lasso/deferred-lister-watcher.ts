/**
 * A client as something that lists and watches, for the cache of its kind. Nothing is asked of the server before the
 * cache runs, and what went
 * wrong last is told, so that whoever waits for the cache can say why.
 *
 *     VerbClient → newDeferredListerWatcher → newCache
 */
import type { VerbClient } from "@drover/client";
import type { ListerWatcher } from "@drover/cache";
import type { KubeObject, ListOptions, WatchEvent } from "@drover/machinery";

export interface ListerWatcherOptions {
  /** Only objects in this namespace; not for kinds that are in none. @default all namespaces */
  readonly namespace?: string;
  /** Has the last word on the options of every list and watch. @default they stay as they are */
  readonly tweakList?: (options: ListOptions) => ListOptions;
  /**
   * Whether to ask for the present state as a stream before falling back to pages; some aggregated servers cannot do
   * that. @default true
   */
  readonly watchList?: boolean;
  /** Is told what a list or a watch failed with, and undefined when a list succeeded. @default nobody is told */
  readonly onOutcome?: (error: unknown) => void;
}

/** Throws a TypeError at a namespace for a kind that is in none. */
export function newDeferredListerWatcher(client: VerbClient, options: ListerWatcherOptions = {}): ListerWatcher {
  const { namespace = "", tweakList = (same) => same, watchList = true, onOutcome = () => undefined } = options;
  const {
    gvr: { resource },
    namespaced,
  } = client;
  if (!namespaced && namespace !== "")
    throw new TypeError(
      `the cache of ${resource} cannot be for the namespace ${namespace}: ${resource} are in no namespace; leave the option out`,
    );

  async function* watch(given: ListOptions, signal: AbortSignal): AsyncGenerator<WatchEvent<KubeObject>, void, undefined> {
    try {
      yield* client.watch(namespace, { ...tweakList(given), signal });
    } catch (error) {
      onOutcome(error);
      throw error;
    }
  }

  return {
    description: namespaced ? `${resource} in ${namespace === "" ? "all namespaces" : namespace}` : resource,
    supportsWatchList: watchList,
    list: async (given, { signal }) => {
      try {
        const list = await client.list(namespace, { ...tweakList(given), signal });
        onOutcome(undefined);
        return list;
      } catch (error) {
        onOutcome(error);
        throw error;
      }
    },
    watch: (given, { signal }) => watch(given, signal),
  };
}
