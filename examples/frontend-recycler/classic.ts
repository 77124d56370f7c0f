/** Replaces the frontend pods when their configuration changes: informer, handlers, rate-limited queue, cache sync, workers, retries. */
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
import { configName, recycle } from "./recycle.ts";

export async function frontendRecycler({ client, runtime, say }: ExamplePlace, signal: AbortSignal): Promise<void> {
  const { clock, log } = runtime;
  const queue = newRateLimitingQueue(defaultControllerRateLimiter({ clock }), { clock });
  const informer = newSharedIndexInformer(
    listWatchFromClient(client, ConfigMap, { namespace: "*", fieldSelector: `metadata.name=${configName}` }),
    { runtime },
  );
  const enqueue = (map: unknown): void => queue.add(deletionHandlingMetaNamespaceKeyFunc(map));
  informer.addEventHandler(
    resourceEventHandlerFuncs({ addFunc: enqueue, updateFunc: (_before, map) => enqueue(map), deleteFunc: enqueue }),
  );
  signal.addEventListener("abort", () => queue.shutDown());

  const worker = async (): Promise<void> => {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        const config = informer.getIndexer().getByKey(key);
        if (config !== undefined) await recycle(config, { client, say });
        queue.forget(key);
      } catch (error) {
        log.warn("recycling failed, retrying", { key, error });
        queue.addRateLimited(key);
      } finally {
        queue.done(key);
      }
    }
  };

  const running = informer.run(signal);
  if (await waitForCacheSync({ clock, signal }, informer)) await Promise.all([worker(), worker()]);
  await running;
}
