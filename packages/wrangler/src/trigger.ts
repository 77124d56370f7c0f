/**
 * One run for everything, however often it is asked for: Wrangler's package trigger.
 *
 *     const rebuild = newTrigger(configMaps, "index");   rebuild.onTrigger(signal, "rebuild", () => …);   rebuild.trigger();
 *
 * A trigger is a key of a controller's queue that is no object's: runs never overlap, those asked for meanwhile are
 * one, and one that fails is tried again.
 */
import type { EnqueueReason } from "@drover/lasso";
import type { ControllerMeta, Until } from "./generic-controller.ts";
import type { Key } from "./related-resource.ts";

/** Looks at everything at once. What it throws makes it be called again, with the backoff of the controller. */
export type AllHandler = () => void | Promise<void>;

export interface Trigger {
  /** Asks for a run. */
  trigger(reason?: EnqueueReason): void;
  /** Is called in each run, the first of which is asked for here. Throws when the name is taken. */
  onTrigger(until: Until, name: string, handler: AllHandler): void;
  /** For resolvers of `relatedresource`: whatever changes, this run. */
  key(): Key;
}

/** No namespace can be called so. */
const namespace = "__trigger__";

/**
 * A trigger on the queue of a controller. Those on one controller need names that differ: Wrangler counts them instead,
 * for the whole process.
 */
export function newTrigger(controller: Pick<ControllerMeta, "addGenericHandler" | "enqueueKey">, name: string): Trigger {
  const key: Key = { namespace, name: `__trigger__${name}__` };
  const words = `${key.namespace}/${key.name}`;
  const trigger: Trigger["trigger"] = (reason) => controller.enqueueKey(words, reason);
  return {
    trigger,
    key: () => key,
    onTrigger: (until, handlerName, handler) => {
      controller.addGenericHandler(until, handlerName, async (due) => {
        if (due === words) await handler();
      });
      trigger();
    },
  };
}
