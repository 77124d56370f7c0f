/** An informer that has synced with the given objects: the cache a controller reads, without a server to fill it. */
import { createInformer, versionOf } from "@drover/cache";
import type { InformerView, VersionSource } from "@drover/cache";
import { abortable } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { addOwnerIndex } from "@drover/patterns";

/** Returns an informer that holds these objects, frozen and indexed by owner. It has stopped, so its contents stay as they are. */
export async function syncedInformer<T extends KubeObject>(...objects: readonly DeepReadonly<T>[]): Promise<InformerView<T>> {
  const informer = createInformer({ source: sourceOf(objects), runtime: testRuntime() });
  addOwnerIndex(informer);
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await informer.synced(stop.signal);
  stop.abort();
  await running;
  return informer;
}

/** Lists the objects once; its watch stays silent. */
function sourceOf<T extends KubeObject>(objects: readonly DeepReadonly<T>[]): VersionSource<T> {
  return {
    description: "objects of the test",
    supportsWatchList: false,
    list: () =>
      Promise.resolve({ items: objects.map((object) => versionOf(object as T)), resourceVersion: "1", continue: undefined, poison: [] }),
    // oxlint-disable-next-line require-yield -- a watch on which nothing happens
    async *watch(_options, { signal }) {
      await abortable(new Promise(() => undefined), signal);
    },
  };
}
