/** Logs every change of a ConfigMap: an informer caches them, its handlers add keys to a queue, and a worker takes them out. */
import { listWatchFromClient } from "drover";
import {
  defaultControllerRateLimiter,
  deletionHandlingMetaNamespaceKeyFunc,
  newRateLimitingQueue,
  newSharedIndexInformer,
  resourceEventHandlerFuncs,
  waitForCacheSync,
} from "drover/client-go";
import { ConfigMap } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";

export async function configMapWatch({ client, runtime, say }: ExamplePlace, signal: AbortSignal): Promise<void> {
  const { clock } = runtime;
  const queue = newRateLimitingQueue(defaultControllerRateLimiter({ clock }), { clock });
  const informer = newSharedIndexInformer(listWatchFromClient(client, ConfigMap, { namespace: "*" }), { runtime });
  const enqueue = (object: unknown): void => queue.add(deletionHandlingMetaNamespaceKeyFunc(object));
  informer.addEventHandler(
    resourceEventHandlerFuncs({ addFunc: enqueue, updateFunc: (_before, object) => enqueue(object), deleteFunc: enqueue }),
  );
  signal.addEventListener("abort", () => queue.shutDown());

  const running = informer.run(signal);
  if (await waitForCacheSync({ clock, signal }, informer)) {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      // A key names an object, not an event: read the current state from the cache.
      const map = informer.getIndexer().getByKey(key);
      say(
        map === undefined
          ? `ConfigMap ${key} is gone`
          : `ConfigMap ${key} is at version ${map.metadata.resourceVersion ?? ""}: ${JSON.stringify(map.data ?? {})}`,
      );
      queue.forget(key);
      queue.done(key);
    }
  }
  await running;
}
