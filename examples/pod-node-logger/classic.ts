/** Logs which node every Pod is scheduled on, once: informer, handlers, rate-limited queue, wait for the cache, workers. */
import { listWatchFromClient } from "drover";
import {
  defaultControllerRateLimiter,
  deletionHandlingMetaNamespaceKeyFunc,
  newRateLimitingQueue,
  newSharedIndexInformer,
  resourceEventHandlerFuncs,
  waitForCacheSync,
} from "drover/client-go";
import { Pod } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";
import { NodeLog } from "./node-log.ts";

export async function podNodeLogger({ client, runtime, say }: ExamplePlace, signal: AbortSignal): Promise<void> {
  const { clock } = runtime;
  const queue = newRateLimitingQueue(defaultControllerRateLimiter({ clock }), { clock });
  const informer = newSharedIndexInformer(listWatchFromClient(client, Pod, { namespace: "*" }), { runtime });
  const enqueue = (pod: unknown): void => queue.add(deletionHandlingMetaNamespaceKeyFunc(pod));
  informer.addEventHandler(
    resourceEventHandlerFuncs({ addFunc: enqueue, updateFunc: (_before, pod) => enqueue(pod), deleteFunc: enqueue }),
  );
  signal.addEventListener("abort", () => queue.shutDown());

  const log = new NodeLog(say);
  const running = informer.run(signal);
  if (await waitForCacheSync({ clock, signal }, informer)) {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      log.look(key, informer.getIndexer().getByKey(key));
      queue.forget(key);
      queue.done(key);
    }
  }
  await running;
}
