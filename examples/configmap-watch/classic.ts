/** Says what happens to every ConfigMap: an informer keeps a copy of them, its handlers put keys into a queue, workers take them out. */
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
      // The key says who, never what: what counts is how it is now.
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
